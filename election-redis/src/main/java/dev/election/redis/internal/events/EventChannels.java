package dev.election.redis.internal.events;

import dev.election.redis.internal.connection.ConnectThread;
import dev.election.redis.internal.connection.ConnectTimeout;
import dev.election.redis.internal.connection.ReconnectPauses;
import dev.election.redis.internal.connection.ReconnectingConnection;
import dev.election.redis.internal.topology.RedisConnector;
import dev.election.store.LeaseStore.Subscription;
import dev.election.support.LogLimit;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Subscriptions to the channels of the elections and of the node, over one connection that is kept open. */
public final class EventChannels {

    private static final Logger log = LoggerFactory.getLogger(EventChannels.class);

    private static final long GATHERING_MILLIS = 5;

    private final LogLimit refusals = LogLimit.once();
    private final Map<String, List<ChannelListener<?>>> listeners = new ConcurrentHashMap<>();
    private final ReconnectingConnection<StatefulRedisPubSubConnection<String, String>> reconnecting;
    private final EventsWatch watch;
    private final ConnectThread thread;
    private final RedisConnector connector;
    private final Refusal refusal;
    private final IdleCheck idle;

    /** Channels that the server refuses on this connection, the latest refusal last. Guarded by itself. */
    private final Set<String> refused = new LinkedHashSet<>();

    private final AtomicBoolean asksAgain = new AtomicBoolean();

    /** Subscribed channels whose listeners have not been notified yet. Guarded by itself. */
    private final Set<String> subscribed = new LinkedHashSet<>();

    /**
     * @param connector connects, and knows whether a connection leads where another one would
     * @param idle when to check the connection; a refused channel is asked for again as often
     * @param refusal what to log where the server refuses the channels
     */
    public EventChannels(
            RedisConnector connector,
            ConnectThread thread,
            ReconnectPauses pauses,
            ConnectTimeout connectTimeout,
            IdleCheck idle,
            Refusal refusal) {
        this.connector = connector;
        this.thread = thread;
        this.refusal = refusal;
        this.idle = idle;
        this.reconnecting = new ReconnectingConnection<>(
                connector::connectPubSub, this::connected, thread, pauses, connectTimeout, Duration.ZERO);
        this.watch = new EventsWatch(reconnecting, connectTimeout::reading, idle);
    }

    /** Connects, unless that has begun before. */
    public void open() {
        reconnecting.open();
    }

    /** Closes the connection. Listeners get no more events. */
    public void close() {
        reconnecting.close();
    }

    /** Listens to a channel until the subscription is closed. */
    public Subscription listen(String channel, ChannelListener<?> listener) {
        listeners.compute(channel, (key, known) -> {
            List<ChannelListener<?>> all = known == null ? new CopyOnWriteArrayList<>() : known;
            all.add(listener);
            return all;
        });
        StatefulRedisPubSubConnection<String, String> connection = reconnecting.now();
        if (connection != null) {
            // Also if it is subscribed to, or refused: Redis answers once more, and this listener is notified.
            synchronized (refused) {
                refused.remove(channel);
            }
            subscribe(connection, List.of(channel));
        }
        return () -> leave(channel, listener);
    }

    /** Gives up the connection if it leads to a former primary, where nothing of the elections is published any more. */
    public void moved() {
        StatefulRedisPubSubConnection<String, String> connection = reconnecting.now();
        if (connection != null) {
            leaveOld(connection);
        }
    }

    private boolean leaveOld(StatefulRedisPubSubConnection<String, String> connection) {
        boolean old = !connector.isCurrent(connection);
        if (old) {
            reconnecting.giveUp(connection, new RedisException("Another server is the primary now"));
        }
        return old;
    }

    /** Opens another connection, since the present one may hang as that for requests did. Does nothing if it was made after that one was lost. */
    public void reopenIfOlderThan(Duration loss) {
        StatefulRedisPubSubConnection<String, String> connection = reconnecting.now();
        if (connection != null && reconnecting.age(connection).compareTo(loss) >= 0) {
            reconnecting.suspect(connection, new RedisException("The other connection was lost"));
        }
    }

    /**
     * Notifies all listeners that requests go over another connection than before.
     *
     * @param since when they began to, by {@link System#nanoTime}
     */
    public void tellAll(long since) {
        listeners.values().forEach(all -> all.forEach(listener -> tell(() -> listener.tellConnectedAnew(since))));
    }

    /** Gathers channels before it notifies their listeners, since Redis confirms each of hundreds by itself. */
    private void tellSoon(String channel) {
        boolean isFirst;
        synchronized (subscribed) {
            isFirst = subscribed.isEmpty();
            subscribed.add(channel);
        }
        if (isFirst) {
            thread.attemptIn(GATHERING_MILLIS, this::tellSubscribed);
        }
    }

    /** Notifies a listener, whose failure must not keep others from being notified. */
    private static void tell(Runnable news) {
        try {
            news.run();
        } catch (RuntimeException defect) {
            log.error("A listener for new connections to Redis failed. The connection stays in use", defect);
        }
    }

    private void tellSubscribed() {
        List<String> channels;
        synchronized (subscribed) {
            channels = List.copyOf(subscribed);
            subscribed.clear();
        }
        channels.forEach(channel -> of(channel).forEach(listener -> tell(listener::tellConnected)));
    }

    private void leave(String channel, ChannelListener<?> listener) {
        @Nullable
        List<ChannelListener<?>> left = listeners.computeIfPresent(channel, (key, known) -> {
            known.remove(listener);
            return known.isEmpty() ? null : known;
        });
        StatefulRedisPubSubConnection<String, String> connection = reconnecting.now();
        if (left == null && connection != null) {
            connection.async().unsubscribe(channel).exceptionally(failure -> {
                log.debug("Could not unsubscribe from {}", channel, failure);
                return null;
            });
        }
    }

    private void connected(StatefulRedisPubSubConnection<String, String> connection) {
        if (leaveOld(connection)) {
            return;
        }
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                watch.heard(connection);
                for (ChannelListener<?> listener : of(channel)) {
                    listener.message(message);
                }
            }

            @Override
            public void subscribed(String channel, long count) {
                watch.heard(connection);
                accepted(connection, channel);
                // Messages from before the subscription are lost, so the listeners have to ask.
                tellSoon(channel);
            }
        });
        watch.watch(connection);
        synchronized (refused) {
            refused.clear();
        }
        subscribe(connection, List.copyOf(listeners.keySet()));
    }

    private void subscribe(StatefulRedisPubSubConnection<String, String> connection, List<String> channels) {
        if (channels.isEmpty()) {
            return;
        }
        connection.async().subscribe(channels.toArray(String[]::new)).whenComplete((done, failure) -> {
            if (failure instanceof RedisCommandExecutionException && channels.size() > 1) {
                // Perhaps only one of them is refused.
                channels.forEach(channel -> subscribe(connection, List.of(channel)));
            } else if (failure instanceof RedisCommandExecutionException) {
                refused(channels.get(0), failure);
            } else if (failure != null) {
                reconnecting.giveUp(connection, new RedisException("The subscription failed", failure));
            }
        });
    }

    /** Logs the first refusal only: a user who lacks the channels of the prefix lacks those of all elections. */
    private void refused(String channel, Throwable failure) {
        boolean isNew;
        synchronized (refused) {
            isNew = !refused.remove(channel);
            refused.add(channel);
        }
        if (asksAgain.compareAndSet(false, true)) {
            thread.attemptIn(idle.after().toMillis(), this::askAgain);
        }
        if (isNew) {
            of(channel).forEach(listener -> tell(listener::tellRefused));
        }
        if (refusals.begins(this)) {
            log.warn(
                    "Redis refuses the subscription to [{}]. {}. Grant the Redis user SUBSCRIBE and the channels of {}."
                            + " Further refused channels are not logged; this node asks for all of them again"
                            + " every {} s ({})",
                    channel,
                    refusal.consequence(),
                    refusal.keyPrefix(),
                    idle.after().toSeconds(),
                    failure.getMessage());
        } else {
            log.debug("Redis refuses the subscription to [{}]", channel, failure);
        }
    }

    /** Asks for one refused channel, which may have been granted since. Once it is accepted, the others are asked for. */
    private void askAgain() {
        asksAgain.set(false);
        StatefulRedisPubSubConnection<String, String> connection = reconnecting.now();
        List<String> channels = stillRefused();
        if (connection != null && !channels.isEmpty()) {
            subscribe(connection, channels.subList(0, 1));
        }
    }

    private List<String> stillRefused() {
        synchronized (refused) {
            refused.retainAll(listeners.keySet());
            if (refused.isEmpty()) {
                refusals.ends(this);
            }
            return List.copyOf(refused);
        }
    }

    private void accepted(StatefulRedisPubSubConnection<String, String> connection, String channel) {
        List<String> others;
        synchronized (refused) {
            if (!refused.remove(channel)) {
                return;
            }
            others = List.copyOf(refused);
        }
        subscribe(connection, others);
        if (others.isEmpty() && refusals.ends(this)) {
            log.info("Redis accepts the subscriptions that it refused");
        }
    }

    private List<ChannelListener<?>> of(String channel) {
        return listeners.getOrDefault(channel, List.of());
    }
}
