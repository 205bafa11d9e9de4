package dev.election.autoconfigure.internal.watch;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The status of one election as this node has observed it.
 *
 * @param lastTransition the last change of the role of this node
 * @param incident the present failure of the store, {@code null} if the store answers
 * @param leaderlessSince since when this node knows no leader, on the monotonic clock; {@code null} if it knows one
 * @param otherApplications the names of other applications that take part in the election
 */
public record ElectionStatus(
        @Nullable Transition lastTransition,
        @Nullable Incident incident,
        @Nullable Long leaderlessSince,
        Set<String> otherApplications) {

    static final ElectionStatus NOTHING = new ElectionStatus(null, null, null, Set.of());

    ElectionStatus after(Transition transition) {
        return new ElectionStatus(transition, incident, leaderlessSince, otherApplications);
    }

    ElectionStatus during(@Nullable Incident now) {
        return new ElectionStatus(lastTransition, now, leaderlessSince, otherApplications);
    }

    ElectionStatus leaderless(@Nullable Long since) {
        return new ElectionStatus(lastTransition, incident, since, otherApplications);
    }

    ElectionStatus beside(Set<String> others) {
        return new ElectionStatus(lastTransition, incident, leaderlessSince, others);
    }
}
