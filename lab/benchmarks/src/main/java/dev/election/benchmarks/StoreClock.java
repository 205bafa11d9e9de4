package dev.election.benchmarks;

import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;

/**
 * The clock of a Redis on this machine as the monotonic clock shows it.
 *
 * @param offset the monotonic clock less the clock of the store
 * @param error how far off that can be at most
 */
record StoreClock(long offset, long error) {

    /** Asks often and keeps the answer that came fastest: it is off by half its round trip at most. */
    static StoreClock read(RedisCommands<String, String> redis) {
        StoreClock best = new StoreClock(0, Long.MAX_VALUE);
        for (int attempt = 0; attempt < 200; attempt++) {
            long asked = System.nanoTime();
            List<String> time = redis.time();
            long error = (System.nanoTime() - asked) / 2;
            if (error < best.error) {
                long store = Long.parseLong(time.get(0)) * 1_000_000_000 + Long.parseLong(time.get(1)) * 1000;
                best = new StoreClock(asked + error - store, error);
            }
        }
        return best;
    }

    long monotonic(long storeMillis) {
        return storeMillis * 1_000_000 + offset;
    }
}
