package dev.election.redis.internal.connection;

import dev.election.redis.internal.topology.RedisConnector;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Distinguishes a slow request from a dead connection: if nothing at all was answered for long while a request waited, another connection
 * is opened beside the silent one. Nothing is lost if the reply still comes, and any reply ends the suspicion.
 */
public final class SilenceWatch {

    private static final Logger log = LoggerFactory.getLogger(SilenceWatch.class);

    private final ReconnectingConnection<StatefulConnection<String, String>> connections;
    private final Supplier<ReplyTimeout> timeout;
    private final Supplier<ScheduledExecutorService> reading;

    /**
     * When each source of replies last answered. {@link RedisConnector#source} decides what a source is: with one server there is one for
     * all elections, since one slow election says nothing of the connection of all.
     */
    private final Map<String, Long> heardAt = new ConcurrentHashMap<>();

    /** Time limit for replies of each node: a slow member of a Cluster says nothing of the others. */
    private final Map<String, ReplyTimeout> timeouts = new ConcurrentHashMap<>();

    /**
     * Connections to replace, by the source whose silence or failure is the reason: in a Cluster the reply of another node does not end the
     * suspicion.
     */
    private final Map<String, StatefulConnection<String, String>> suspected = new ConcurrentHashMap<>();

    /**
     * @param timeout makes the timeout of a node
     * @param reading the thread that reads the connections, once there is one: what has arrived before a look is read before it
     */
    public SilenceWatch(
            ReconnectingConnection<StatefulConnection<String, String>> connections,
            Supplier<ReplyTimeout> timeout,
            Supplier<ScheduledExecutorService> reading) {
        this.connections = connections;
        this.timeout = timeout;
        this.reading = reading;
    }

    /** Watches a request that is about to be sent to a node, and is to be answered by a source of replies. */
    public Request sent(StatefulConnection<String, String> connection, String node, String source) {
        ReplyTimeout own = timeouts.computeIfAbsent(node, first -> timeout.get());
        Request request = new Request(connection, own, source, System.nanoTime());
        request.lookIn(own.nanos());
        return request;
    }

    private void look(Request request, TimeLimit limit) {
        if (request.isOver || connections.now() != request.connection) {
            return;
        }
        long left = request.timeout.nanos() - request.silence();
        if (left > 0) {
            request.lookIn(left);
            return;
        }
        if (limit.isNoticedLate()) {
            log.debug("Noticed {} ms late that Redis is silent; looks again", limit.lateMillis());
        } else if (suspect(request)) {
            request.timeout.givenUp();
        }
        request.lookIn(request.timeout.nanos());
    }

    private boolean suspect(Request request) {
        request.accuse();
        return connections.suspect(request.connection, noReply());
    }

    private static RedisException noReply() {
        return new RedisException(
                "The connection was given up", new RedisCommandTimeoutException("No reply for too long"));
    }

    /** A request whose reply is awaited. */
    public final class Request {

        private final StatefulConnection<String, String> connection;
        private final ReplyTimeout timeout;
        private final String source;
        private final long sentAt;
        private volatile boolean isOver;
        private volatile @Nullable Future<?> look;

        private Request(
                StatefulConnection<String, String> connection, ReplyTimeout timeout, String source, long sentAt) {
            this.connection = connection;
            this.timeout = timeout;
            this.source = source;
            this.sentAt = sentAt;
        }

        /** The server has answered, be it with an error. */
        public void answered() {
            end();
            if (connections.now() == connection) {
                // What an old one still says tells nothing of the present one.
                heardAt.put(source, System.nanoTime());
                if (suspected.remove(source, connection) && !suspected.containsValue(connection)) {
                    connections.trust(connection);
                }
            }
            timeout.answeredAfter(System.nanoTime() - sentAt);
        }

        public void failed() {
            end();
            accuse();
        }

        private void accuse() {
            if (connections.now() == connection) {
                // An old connection says nothing of the present one.
                suspected.values().removeIf(other -> other != connection);
                suspected.put(source, connection);
            }
        }

        private void end() {
            isOver = true;
            Future<?> next = look;
            if (next != null) {
                next.cancel(false);
            }
        }

        /** For how long the source has answered nothing, though this request waited. */
        private long silence() {
            long now = System.nanoTime();
            return Math.min(now - sentAt, now - heardAt.getOrDefault(source, sentAt));
        }

        private void lookIn(long nanos) {
            TimeLimit limit = TimeLimit.in(nanos, timeout.nanos());
            look = reading.get().schedule(() -> look(this, limit), nanos, TimeUnit.NANOSECONDS);
        }
    }
}
