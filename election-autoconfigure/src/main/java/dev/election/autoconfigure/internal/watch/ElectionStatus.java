package dev.election.autoconfigure.internal.watch;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The status of one election as this node has observed it.
 *
 * @param lastTransition the last change of the role of this node
 * @param incident the present failure of the store, {@code null} if the store answers
 * @param leaderlessSince since when this node knows no leader, on the monotonic clock; {@code null} if it knows one
 * @param recovery what this node does as a new leader before it admits work, {@code null} if it does not recover
 * @param otherApplications the names of other applications that take part in the election
 */
public record ElectionStatus(
        @Nullable Transition lastTransition,
        @Nullable Incident incident,
        @Nullable Long leaderlessSince,
        @Nullable PresentRecovery recovery,
        Set<String> otherApplications) {

    static final ElectionStatus NOTHING = new ElectionStatus(null, null, null, null, Set.of());

    ElectionStatus after(Transition transition) {
        return new ElectionStatus(transition, incident, leaderlessSince, recovery, otherApplications);
    }

    ElectionStatus during(@Nullable Incident now) {
        return new ElectionStatus(lastTransition, now, leaderlessSince, recovery, otherApplications);
    }

    ElectionStatus leaderless(@Nullable Long since) {
        return new ElectionStatus(lastTransition, incident, since, recovery, otherApplications);
    }

    ElectionStatus recovering(@Nullable PresentRecovery now) {
        return new ElectionStatus(lastTransition, incident, leaderlessSince, now, otherApplications);
    }

    ElectionStatus beside(Set<String> others) {
        return new ElectionStatus(lastTransition, incident, leaderlessSince, recovery, others);
    }
}
