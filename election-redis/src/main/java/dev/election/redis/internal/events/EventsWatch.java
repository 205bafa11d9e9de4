package dev.election.redis.internal.events;

import dev.election.redis.internal.connection.ReconnectingConnection;
import dev.election.redis.internal.connection.TimeLimit;
import dev.election.redis.internal.failure.Failures;
import io.lettuce.core.RedisException;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether a connection for events is alive. While no leader changes nothing arrives on it, so a dead one, such as behind a proxy
 * that drops packets, looks like an idle one. After a while without data a {@code PING} asks for a sign of life; any other data is as good.
 */
final class EventsWatch {

    private static final Logger log = LoggerFactory.getLogger(EventsWatch.class);

    private final ReconnectingConnection<StatefulRedisPubSubConnection<String, String>> connections;
    private final Supplier<ScheduledExecutorService> reading;
    private final long quiet;
    private final long timeout;

    /** When something last arrived on the present connection, on the monotonic clock. */
    private volatile long heardAt;

    /**
     * @param reading the thread that reads the connections: what has arrived before a look is read before it
     * @param idle when to ask for a sign of life, and how long it is waited for
     */
    EventsWatch(
            ReconnectingConnection<StatefulRedisPubSubConnection<String, String>> connections,
            Supplier<ScheduledExecutorService> reading,
            IdleCheck idle) {
        this.connections = connections;
        this.reading = reading;
        this.quiet = idle.after().toNanos();
        this.timeout = idle.timeout().toNanos();
    }

    /** Begins with a connection that was just made. */
    void watch(StatefulRedisPubSubConnection<String, String> connection) {
        heard(connection);
        in(quiet, () -> look(connection));
    }

    /** Records that something has arrived on a connection. */
    void heard(StatefulRedisPubSubConnection<String, String> connection) {
        if (connections.now() == connection) {
            heardAt = System.nanoTime();
        }
    }

    private void look(StatefulRedisPubSubConnection<String, String> connection) {
        if (connections.now() != connection) {
            return;
        }
        long left = heardAt + quiet - System.nanoTime();
        if (left > 0) {
            in(left, () -> look(connection));
            return;
        }
        long asked = System.nanoTime();
        connection.async().ping().whenComplete((pong, failure) -> {
            if (failure == null || Failures.isReply(failure)) {
                heard(connection);
            }
        });
        await(connection, asked);
    }

    private void await(StatefulRedisPubSubConnection<String, String> connection, long asked) {
        TimeLimit limit = TimeLimit.in(timeout, timeout);
        in(timeout, () -> judge(connection, asked, limit));
    }

    private void judge(StatefulRedisPubSubConnection<String, String> connection, long asked, TimeLimit limit) {
        if (heardAt - asked >= 0) {
            look(connection);
        } else if (limit.isNoticedLate()) {
            // This process stood still: what it did not hear says nothing of the connection.
            await(connection, asked);
        } else if (connections.now() == connection) {
            log.debug("Nothing is heard on the connection for events; opens another");
            connections.suspect(connection, new RedisException("No sign of life on the connection for events"));
            // Until there is another, or this one is heard again.
            await(connection, asked);
        }
    }

    private void in(long nanos, Runnable task) {
        try {
            Future<?> unused = reading.get().schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closing) {
            log.trace("The store is closing", closing);
        }
    }
}
