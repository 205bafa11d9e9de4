package dev.election.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears from the Sentinels that another server is the primary now. The old one may go on answering until they have told it, some
 * ten seconds later: whoever is still connected to it would renew, or even be granted, a lease that is worth nothing. Listens to
 * all of them, because they learn of it one after the other and any may be the one that is asked.
 */
final class PrimaryWatch {

    private static final Logger log = LoggerFactory.getLogger(PrimaryWatch.class);
    private static final String CHANNEL = "+switch-master";

    private final Sentinels sentinels;
    private final Runnable moved;
    private final AtomicLong moves = new AtomicLong();
    private final List<Lifeline<StatefulRedisPubSubConnection<String, String>>> lifelines = new ArrayList<>();

    /**
     * @param moved told whenever the primary is or may be another one
     * @param thread where to connect; nothing else should wait for a Sentinel that hangs
     */
    PrimaryWatch(Sentinels sentinels, RedisClient client, Runnable moved, ConnectThread thread) {
        this.sentinels = sentinels;
        this.moved = moved;
        sentinels
                .nodes()
                .forEach(node -> lifelines.add(new Lifeline<>(
                        () -> client.connectPubSub(Utf8.CODEC, node), new Subscriber()::subscribe, thread)));
    }

    void open() {
        lifelines.forEach(Lifeline::open);
    }

    void close() {
        lifelines.forEach(Lifeline::close);
    }

    /** Grows with every move: a connection is good if this is the same before it was looked for and after it is in use. */
    long moves() {
        return moves.get();
    }

    private void move() {
        moves.incrementAndGet();
        moved.run();
    }

    /** To one Sentinel. */
    private final class Subscriber {

        private boolean subscribedBefore;

        private void subscribe(StatefulRedisPubSubConnection<String, String> connection) {
            connection.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String channel, String message) {
                    if (message.startsWith(sentinels.primary() + " ")) {
                        move();
                    }
                }
            });
            if (subscribedBefore) {
                // What this Sentinel said meanwhile is lost.
                move();
            }
            subscribedBefore = true;
            connection.async().subscribe(CHANNEL).whenComplete((done, failure) -> {
                if (failure instanceof RedisCommandExecutionException) {
                    log.warn(
                            "A Sentinel refuses the subscription to {}: after a failover the old primary may be used"
                                    + " until it is demoted ({})",
                            CHANNEL,
                            failure.getMessage());
                } else if (failure != null) {
                    // The lifeline sees the end and opens another.
                    CompletableFuture<Void> unused = connection.closeAsync();
                }
            });
        }
    }
}
