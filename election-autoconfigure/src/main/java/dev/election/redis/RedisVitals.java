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
 */
public record RedisVitals(
        Duration roundTrip, Duration clockAhead, Optional<String> evictionPolicy, Optional<Boolean> isReplica) {}
