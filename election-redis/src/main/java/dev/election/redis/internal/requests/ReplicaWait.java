package dev.election.redis.internal.requests;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Asks directly after a script how many replicas have acknowledged the writes of that connection until then. Redis answers nothing else on
 * the connection meanwhile, so the wait ends before the connection counts as silent.
 */
final class ReplicaWait {

    private final RedisClusterAsyncCommands<String, String> redis;
    private final Acknowledgement wanted;
    private final Duration limit;
    private int expected;

    /**
     * Answer to the wait after the latest sending of the script, which is the one that ran: the server refused the others, since it did not
     * know the script.
     */
    private volatile CompletionStage<Long> acknowledged = CompletableFuture.completedFuture(0L);

    ReplicaWait(RedisClusterAsyncCommands<String, String> redis, Acknowledgement wanted, Duration limit) {
        this.redis = redis;
        this.wanted = wanted;
        this.limit = limit;
    }

    /** The longest wait: less than half of the shortest time after which a connection counts as silent, since there may be two. */
    static Duration limit(Duration lease) {
        Duration limit = lease.dividedBy(20);
        return limit.compareTo(Duration.ofSeconds(1)) < 0 ? limit.plusMillis(1) : Duration.ofSeconds(1);
    }

    /** Sends the wait after a script that has just been sent. */
    void ask() {
        expected = wanted.expected();
        if (expected > 0) {
            acknowledged = waitFor(expected);
        }
    }

    /** Number of replicas that have acknowledged the script; 0 if its reply requires none. */
    CompletionStage<Integer> acknowledged(List<String> reply) {
        int needed = wanted.needed(reply);
        if (needed == 0) {
            return CompletableFuture.completedFuture(0);
        }
        return acknowledged
                // More are needed than were waited for: the answer came as soon as those had acknowledged.
                .thenCompose(count ->
                        count < needed && count >= expected && needed > expected ? waitFor(needed) : acknowledged)
                .thenApply(Long::intValue);
    }

    private CompletionStage<Long> waitFor(int replicas) {
        return redis.waitForReplication(replicas, limit.toMillis());
    }
}
