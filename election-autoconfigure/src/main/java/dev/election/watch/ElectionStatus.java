package dev.election.watch;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What this node has seen of one election.
 *
 * @param lastTransition the last change of its own part
 * @param incident what is wrong with the store, {@code null} if it answers
 * @param leaderlessSince since when no leader is known, on the monotonic clock; {@code null} if one is
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
