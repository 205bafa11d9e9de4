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
public record Sighting(
        @Nullable Transition lastTransition,
        @Nullable Incident incident,
        @Nullable Long leaderlessSince,
        Set<String> otherApplications) {

    static final Sighting NOTHING = new Sighting(null, null, null, Set.of());

    Sighting after(Transition transition) {
        return new Sighting(transition, incident, leaderlessSince, otherApplications);
    }

    Sighting during(@Nullable Incident now) {
        return new Sighting(lastTransition, now, leaderlessSince, otherApplications);
    }

    Sighting leaderless(@Nullable Long since) {
        return new Sighting(lastTransition, incident, since, otherApplications);
    }

    Sighting beside(Set<String> others) {
        return new Sighting(lastTransition, incident, leaderlessSince, others);
    }
}
