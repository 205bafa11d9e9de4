package dev.election.redis;

import java.time.Duration;
import java.util.Optional;

/**
 * What a look at the Redis server has shown.
 *
 * @param roundTrip how long the fastest of a few requests took
 * @param clockAhead how far the server's clock is ahead of this machine's; negative if it is behind
 * @param evictionPolicy its {@code maxmemory-policy}; empty if it does not say
 * @param isReplica whether it is a replica; empty if it does not say
 * @param tellsIncarnation whether it tells by what a server that may have lost what it acknowledged is known
 * @param isUnguardedPrimary whether it has replicas, one of which may take over, and goes on writing when it is cut off from them
 */
public record RedisVitals(
        Duration roundTrip,
        Duration clockAhead,
        Optional<String> evictionPolicy,
        Optional<Boolean> isReplica,
        boolean tellsIncarnation,
        boolean isUnguardedPrimary) {}
