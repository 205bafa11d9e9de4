package dev.election.redis;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * State of a Redis server, as an examination has shown it.
 *
 * @param product the product and its version
 * @param roundTrip how long the fastest of a few requests took
 * @param clockAhead how far the server's clock is ahead of this machine's; negative if it is behind
 * @param evictionPolicy its {@code maxmemory-policy}; empty if it does not say
 * @param isReplica whether it is a replica; empty if it does not say
 * @param isActiveReplica whether it accepts writes beside another server that does, as KeyDB can
 * @param refusedInScripts the commands that it refuses to scripts, with its errors
 * @param tellsIncarnation whether it tells scripts its incarnation
 * @param isUnguardedPrimary whether it has replicas, one of which may take over, and goes on writing when it is cut off from them
 */
public record RedisVitals(
        String product,
        Duration roundTrip,
        Duration clockAhead,
        Optional<String> evictionPolicy,
        Optional<Boolean> isReplica,
        boolean isActiveReplica,
        Map<String, String> refusedInScripts,
        boolean tellsIncarnation,
        boolean isUnguardedPrimary) {}
