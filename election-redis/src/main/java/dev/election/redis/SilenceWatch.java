package dev.election.redis;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Tells a slow request from a connection that is dead: where nothing was answered for long, another connection is opened beside the
 * silent one. Nothing is lost if the reply still comes.
 */
final class SilenceWatch {

    private final ReconnectingConnection<StatefulConnection<String, String>> connections;
    private final ReplyPatience patience;
    private final Timer timer;

    /**
     * When a server last said anything of an election, by its lease key. Not for all elections together, since in a Cluster one node
     * may be dead while others answer.
     */
    private final Map<String, Long> heardAt = new ConcurrentHashMap<>();

    SilenceWatch(
            ReconnectingConnection<StatefulConnection<String, String>> connections,
            ReplyPatience patience,
            Timer timer) {
        this.connections = connections;
        this.patience = patience;
        this.timer = timer;
    }

    /** A request for the election with that lease key is about to be sent. */
    Request sent(StatefulConnection<String, String> connection, String lease) {
        return new Request(connection, lease, System.nanoTime());
    }

    private void check(Request request) {
        boolean silent = heardAt.getOrDefault(request.lease, request.sentAt - 1) - request.sentAt < 0;
        if (silent && connections.suspect(request.connection, noReply())) {
            patience.givenUp();
        }
    }

    private static RedisException noReply() {
        return new RedisException(
                "The connection was given up", new RedisCommandTimeoutException("No reply for too long"));
    }

    /** A request whose reply is awaited. */
    final class Request {

        private final StatefulConnection<String, String> connection;
        private final String lease;
        private final long sentAt;
        private final Timeout check;

        private Request(StatefulConnection<String, String> connection, String lease, long sentAt) {
            this.connection = connection;
            this.lease = lease;
            this.sentAt = sentAt;
            this.check = timer.newTimeout(due -> check(this), patience.nanos(), TimeUnit.NANOSECONDS);
        }

        void answered() {
            check.cancel();
            if (connections.now() == connection) {
                // What an old one still says tells nothing of the present one.
                heardAt.put(lease, System.nanoTime());
            }
            patience.answeredAfter(System.nanoTime() - sentAt);
        }

        void failed() {
            check.cancel();
        }
    }
}
