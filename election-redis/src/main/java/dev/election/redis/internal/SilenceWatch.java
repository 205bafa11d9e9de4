package dev.election.redis.internal;

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
 * Tells a slow request from a connection that is dead: where nothing at all was answered for long while a request waited, another
 * connection is opened beside the silent one. Nothing is lost if the reply still comes, and with any reply the suspicion ends.
 */
final class SilenceWatch {

    private static final Logger log = LoggerFactory.getLogger(SilenceWatch.class);

    private final ReconnectingConnection<StatefulConnection<String, String>> connections;
    private final Supplier<ReplyPatience> patience;
    private final Supplier<ScheduledExecutorService> reading;

    /**
     * When each source of replies last said anything. What a source is, the {@link RedisConnector} knows: one for all elections where
     * there is one server, since one slow election says nothing of the connection of all.
     */
    private final Map<String, Long> heardAt = new ConcurrentHashMap<>();

    /** With each node: that one member of a Cluster is slow says nothing of the others. */
    private final Map<String, ReplyPatience> patiences = new ConcurrentHashMap<>();

    /** Whose silence or failure is a reason to replace which connection: in a Cluster another node's reply does not end the suspicion. */
    private final Map<String, StatefulConnection<String, String>> suspected = new ConcurrentHashMap<>();

    /**
     * @param patience makes the patience with a node
     * @param reading the thread that reads the connections, once there is one: what has arrived before a look is read before it
     */
    SilenceWatch(
            ReconnectingConnection<StatefulConnection<String, String>> connections,
            Supplier<ReplyPatience> patience,
            Supplier<ScheduledExecutorService> reading) {
        this.connections = connections;
        this.patience = patience;
        this.reading = reading;
    }

    /** A request is about to be sent to that node, which this source of replies has to answer. */
    Request sent(StatefulConnection<String, String> connection, String node, String source) {
        ReplyPatience own = patiences.computeIfAbsent(node, first -> patience.get());
        Request request = new Request(connection, own, source, System.nanoTime());
        request.lookIn(own.nanos());
        return request;
    }

    private void look(Request request, TimeLimit limit) {
        if (request.isOver || connections.now() != request.connection) {
            return;
        }
        long left = request.patience.nanos() - request.silence();
        if (left > 0) {
            request.lookIn(left);
            return;
        }
        if (limit.isNoticedLate()) {
            log.debug("Noticed {} ms late that Redis is silent; looks again", limit.lateMillis());
        } else if (suspect(request)) {
            request.patience.givenUp();
        }
        request.lookIn(request.patience.nanos());
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
    final class Request {

        private final StatefulConnection<String, String> connection;
        private final ReplyPatience patience;
        private final String source;
        private final long sentAt;
        private volatile boolean isOver;
        private volatile @Nullable Future<?> look;

        private Request(
                StatefulConnection<String, String> connection, ReplyPatience patience, String source, long sentAt) {
            this.connection = connection;
            this.patience = patience;
            this.source = source;
            this.sentAt = sentAt;
        }

        /** The server has answered, be it with an error. */
        void answered() {
            end();
            if (connections.now() == connection) {
                // What an old one still says tells nothing of the present one.
                heardAt.put(source, System.nanoTime());
                if (suspected.remove(source, connection) && !suspected.containsValue(connection)) {
                    connections.trust(connection);
                }
            }
            patience.answeredAfter(System.nanoTime() - sentAt);
        }

        void failed() {
            end();
            accuse();
        }

        private void accuse() {
            if (connections.now() == connection) {
                // What an old one does tells nothing of the present one.
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

        /** Since when the source could have said something and did not. */
        private long silence() {
            long now = System.nanoTime();
            return Math.min(now - sentAt, now - heardAt.getOrDefault(source, sentAt));
        }

        private void lookIn(long nanos) {
            TimeLimit limit = TimeLimit.in(nanos, patience.nanos());
            look = reading.get().schedule(() -> look(this, limit), nanos, TimeUnit.NANOSECONDS);
        }
    }
}
