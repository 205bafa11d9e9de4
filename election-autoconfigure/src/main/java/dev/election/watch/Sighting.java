package dev.election.watch;

import org.jspecify.annotations.Nullable;

/**
 * What this node has seen of one election.
 *
 * @param lastTransition the last change of its own part
 * @param incident what is wrong with the store, {@code null} if it answers
 * @param leaderlessSince since when no leader is known, on the monotonic clock; {@code null} if one is
 */
public record Sighting(
        @Nullable Transition lastTransition, @Nullable Incident incident, @Nullable Long leaderlessSince) {

    static final Sighting NOTHING = new Sighting(null, null, null);

    Sighting after(Transition transition) {
        return new Sighting(transition, incident, leaderlessSince);
    }

    Sighting during(@Nullable Incident now) {
        return new Sighting(lastTransition, now, leaderlessSince);
    }

    Sighting leaderless(@Nullable Long since) {
        return new Sighting(lastTransition, incident, since);
    }
}
