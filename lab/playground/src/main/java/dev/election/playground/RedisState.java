package dev.election.playground;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Redis, as the page shows it.
 *
 * @param noActions why it can't be stopped, if it can't
 */
record RedisState(int port, boolean isRunning, @Nullable Instant snapshotTaken, @Nullable String noActions) {

    static RedisState of(Redis redis) {
        return new RedisState(
                redis.port(),
                redis.isRunning(),
                redis.snapshotTaken(),
                redis.isOurs() ? null : "The playground did not start this Redis");
    }
}
