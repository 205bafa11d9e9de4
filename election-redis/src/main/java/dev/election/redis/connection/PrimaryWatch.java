package dev.election.redis.connection;

import dev.election.store.NoAnswer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
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

    /** A failover may take all Sentinels away for a moment; whoever can't watch any for longer should know. */
    private static final long PATIENCE_SECONDS = 5;

    private final Sentinels sentinels;
    private final RedisClient client;
    private final Runnable moved;
    private final AtomicLong moves = new AtomicLong();
    private final List<ReconnectingConnection<StatefulRedisPubSubConnection<String, String>>> connections =
            new ArrayList<>();

    /** As of the monotonic clock: since when no Sentinel can be watched. */
    private @Nullable Long blindSince;

    private boolean saidSo;

    /**
     * @param moved told whenever the primary is or may be another one
     * @param thread where to connect; nothing should wait for a Sentinel that hangs, not even another Sentinel
     * @param lease the shortest
     * @param mayLead whether this process may hold a lease
     */
    PrimaryWatch(
            Sentinels sentinels,
            RedisClient client,
            Runnable moved,
            ConnectThread thread,
            Duration lease,
            BooleanSupplier mayLead) {
        this.sentinels = sentinels;
        this.client = client;
        this.moved = moved;
        // A Sentinel that hangs says nothing of how long it takes to connect to the primary.
        ConnectPatience patience = new ConnectPatience(lease);
        sentinels
                .nodes()
                .forEach(node -> connections.add(new ReconnectingConnection<>(
                        () -> connect(node),
                        new Subscriber()::subscribe,
                        thread,
                        new ReconnectPauses(lease, mayLead),
                        patience,
                        Duration.ZERO)));
    }

    void open() {
        connections.forEach(ReconnectingConnection::open);
    }

    void close() {
        connections.forEach(ReconnectingConnection::close);
    }

    /** Grows with every move: a connection is good if this is the same before it was looked for and after it is in use. */
    long moves() {
        return moves.get();
    }

    private void move() {
        moves.incrementAndGet();
        moved.run();
    }

    private StatefulRedisPubSubConnection<String, String> connect(RedisURI node) {
        try {
            StatefulRedisPubSubConnection<String, String> connection = client.connectPubSub(Utf8.CODEC, node);
            noteSight();
            return connection;
        } catch (RuntimeException failure) {
            if (connections.stream().allMatch(reconnecting -> reconnecting.now() == null)) {
                noteBlindness(failure);
            }
            throw failure;
        }
    }

    private synchronized void noteSight() {
        blindSince = null;
        saidSo = false;
    }

    private synchronized void noteBlindness(RuntimeException failure) {
        long now = System.nanoTime();
        if (blindSince == null) {
            blindSince = now;
        } else if (!saidSo && now - blindSince >= TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
            saidSo = true;
            NoAnswer answer = Failures.noAnswer(failure);
            log.warn(
                    "No Sentinel could be watched for {} s: after a failover the old primary may be used until it is"
                            + " demoted. Check the addresses of the Sentinels and their credentials; they are tried again ({}: {})",
                    PATIENCE_SECONDS,
                    answer.problem(),
                    answer.detail());
        }
    }

    /** To one Sentinel. */
    private final class Subscriber {

        private volatile boolean subscribedBefore;

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
                                    + " until it is demoted. Allow its user SUBSCRIBE and that channel ({})",
                            CHANNEL,
                            failure.getMessage());
                } else if (failure != null) {
                    // It sees the end and opens another.
                    CompletableFuture<Void> unused = connection.closeAsync();
                }
            });
        }
    }
}
