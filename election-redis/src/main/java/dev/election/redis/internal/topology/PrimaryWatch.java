package dev.election.redis.internal.topology;

import dev.election.redis.internal.connection.ConnectThread;
import dev.election.redis.internal.connection.ConnectTimeout;
import dev.election.redis.internal.connection.ReconnectPauses;
import dev.election.redis.internal.connection.ReconnectingConnection;
import dev.election.redis.internal.connection.Utf8;
import dev.election.redis.internal.failure.Failures;
import dev.election.store.NoAnswer;
import dev.election.support.LogLimit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to the Sentinels for a change of the primary. The old one may go on answering until they demote it, some ten seconds later: a
 * process that is still connected to it would renew, or even be granted, a worthless lease. Listens to all of them, because they learn of a
 * failover one after the other and any may be cut off. An announcement may be old, so it only starts a look at all of them.
 */
public final class PrimaryWatch {

    private static final Logger log = LoggerFactory.getLogger(PrimaryWatch.class);
    private static final String CHANNEL = "+switch-master";

    /** Time without any Sentinel after which a warning is logged. A failover may take all of them away for a moment. */
    private static final long WARNS_AFTER_SECONDS = 5;

    private final Sentinels sentinels;
    private final RedisClient client;
    private final Primary primary;
    private final List<ReconnectingConnection<StatefulRedisPubSubConnection<String, String>>> connections =
            new ArrayList<>();

    private final LogLimit refusals = LogLimit.once();

    /** Since when no Sentinel can be watched, on the monotonic clock. */
    private @Nullable Long blindSince;

    private final LogLimit blindness = LogLimit.once();

    /**
     * @param primary told whenever it is or may be another server
     * @param thread where to connect; nothing should wait for a Sentinel that hangs, not even another Sentinel
     * @param lease the shortest
     * @param mayLead whether this process may hold a lease
     */
    public PrimaryWatch(
            Sentinels sentinels,
            RedisClient client,
            Primary primary,
            ConnectThread thread,
            Duration lease,
            BooleanSupplier mayLead) {
        this.sentinels = sentinels;
        this.client = client;
        this.primary = primary;
        // A Sentinel that hangs says nothing of how long it takes to connect to the primary.
        ConnectTimeout timeout = new ConnectTimeout(lease);
        sentinels
                .nodes()
                .forEach(node -> connections.add(new ReconnectingConnection<>(
                        () -> connect(node),
                        this::subscribe,
                        thread,
                        ReconnectPauses.ofSubscription(lease, mayLead),
                        timeout,
                        Duration.ZERO)));
    }

    public void open() {
        connections.forEach(ReconnectingConnection::open);
    }

    public void close() {
        connections.forEach(ReconnectingConnection::close);
        primary.close();
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
        blindness.ends(this);
    }

    private synchronized void noteBlindness(RuntimeException failure) {
        long now = System.nanoTime();
        if (blindSince == null) {
            blindSince = now;
        } else if (now - blindSince >= TimeUnit.SECONDS.toNanos(WARNS_AFTER_SECONDS) && blindness.begins(this)) {
            NoAnswer answer = Failures.noAnswer(failure);
            log.warn(
                    "No Sentinel could be watched for {} s: after a failover the old primary may be used until it is"
                            + " demoted. Check the addresses of the Sentinels and their credentials; they are tried again"
                            + " ({}: {})",
                    WARNS_AFTER_SECONDS,
                    answer.problem(),
                    answer.detail());
        }
    }

    private void subscribe(StatefulRedisPubSubConnection<String, String> connection) {
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                if (message.startsWith(sentinels.primary() + " ")) {
                    primary.lookAgain();
                }
            }
        });
        // The earlier announcements of this Sentinel are lost. It is asked over this connection, in the packet that
        // subscribes:
        // one that ends its connections again and again costs no other.
        connection.setAutoFlushCommands(false);
        primary.compareWith(connection.async());
        RedisFuture<Void> subscribed = connection.async().subscribe(CHANNEL);
        connection.flushCommands();
        connection.setAutoFlushCommands(true);
        subscribed.whenComplete((done, failure) -> {
            if (failure instanceof RedisCommandExecutionException) {
                warnOfRefusal(failure);
            } else if (failure != null) {
                // ReconnectingConnection then opens another.
                CompletableFuture<Void> unused = connection.closeAsync();
            }
        });
    }

    private void warnOfRefusal(Throwable refusal) {
        if (refusals.begins(this)) {
            log.warn(
                    "A Sentinel refuses the subscription to {}: after a failover the old primary may be used until it"
                            + " is demoted. Allow its user SUBSCRIBE and that channel. Further refusals are not logged"
                            + " ({})",
                    CHANNEL,
                    refusal.getMessage());
        }
    }
}
