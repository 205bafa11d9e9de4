package dev.election.redis.internal.topology;

import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the members of a Cluster who they are and which slots they own. The client asks all of them and waits for the slowest, so one that
 * hangs, be it a replica, would delay each connection. What was known before is good enough if that takes long: a member that
 * does not own a slot any more says who does, and the client takes over the new view as soon as it is complete.
 */
final class TopologyRefresh {

    private static final Logger log = LoggerFactory.getLogger(TopologyRefresh.class);

    private static final Duration LONGEST = Duration.ofSeconds(1);

    private final RedisClusterClient client;
    private final long timeout;

    /** Whether an earlier attempt has read the topology. */
    private volatile boolean isKnown;

    private volatile CompletableFuture<Void> latest = CompletableFuture.completedFuture(null);

    TopologyRefresh(RedisClusterClient client, Duration lease) {
        this.client = client;
        this.timeout = Math.min(LONGEST.toNanos(), lease.toNanos() / 16);
    }

    /** Blocks until the topology of the Cluster is known. Fails if no member tells it. */
    void run() {
        CompletableFuture<Void> refresh = latest;
        if (refresh.isDone()) {
            refresh = client.refreshPartitionsAsync().toCompletableFuture();
            latest = refresh;
        }
        try {
            if (isKnown) {
                refresh.get(timeout, TimeUnit.NANOSECONDS);
            } else {
                refresh.get();
                isKnown = true;
            }
        } catch (TimeoutException silent) {
            log.debug("A member of the Redis Cluster does not answer; connects by what was known before", silent);
        } catch (ExecutionException failure) {
            throw new RedisException("Cannot reload Redis Cluster topology", failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new RedisException("Cannot reload Redis Cluster topology", interrupted);
        }
    }
}
