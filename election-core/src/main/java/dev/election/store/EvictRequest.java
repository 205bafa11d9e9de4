package dev.election.store;

import dev.election.Abdication;
import dev.election.FencingToken;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Takes the lease away from the holder with that token, without its consent. The holder considers itself the leader until its next request
 * to the store or until its own deadline.
 *
 * @param election the name of the election
 * @param token the token of the leadership to end; the store ends no other
 * @param how how the holder was asked to give leadership up: who may be granted the lease next, and how long the evicted node cools
 *     down
 */
public record EvictRequest(String election, FencingToken token, Abdication how) {

    /** The only node that may be granted the lease for a while, or {@code null} for any. */
    @Nullable
    public String successor() {
        return how.successor();
    }

    /** The time for which the lease is reserved for the successor. */
    public Duration reserve() {
        return how.reserve();
    }

    /** The time for which the evicted node cools down once it has learned of the eviction. */
    public Duration cooldown() {
        return how.cooldown();
    }
}
