package dev.election.redis;

import dev.election.store.EventText;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.StoreEvent;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Subscriptions to the channels of the elections, over one connection that is kept open. */
final class EventChannels {

    private static final Logger log = LoggerFactory.getLogger(EventChannels.class);

    private final AtomicBoolean saidRefused = new AtomicBoolean();
    private final Map<String, List<Consumer<StoreEvent>>> listeners = new ConcurrentHashMap<>();
    private final ReconnectingConnection<StatefulRedisPubSubConnection<String, String>> reconnecting;

    EventChannels(
            Supplier<StatefulRedisPubSubConnection<String, String>> connect,
            ConnectThread thread,
            ReconnectPauses pauses,
            ConnectPatience patience) {
        this.reconnecting =
                new ReconnectingConnection<>(connect, this::connected, thread, pauses, patience, Duration.ZERO);
    }

    void open() {
        reconnecting.open();
    }

    void close() {
        reconnecting.close();
    }

    Subscription listen(String channel, Consumer<StoreEvent> listener) {
        boolean[] first = new boolean[1];
        listeners.compute(channel, (key, known) -> {
            first[0] = known == null;
            List<Consumer<StoreEvent>> all = known == null ? new CopyOnWriteArrayList<>() : known;
            all.add(listener);
            return all;
        });
        StatefulRedisPubSubConnection<String, String> connection = reconnecting.now();
        if (first[0] && connection != null) {
            subscribe(connection, List.of(channel));
        }
        return () -> leave(channel, listener);
    }

    /** Opens another connection: the present one may hang as the one for commands did. */
    void reopen() {
        StatefulRedisPubSubConnection<String, String> connection = reconnecting.now();
        if (connection != null) {
            reconnecting.suspect(connection, new RedisException("The other connection was lost"));
        }
    }

    /** Tells everybody. */
    void tellAll(StoreEvent event) {
        listeners.values().forEach(all -> all.forEach(listener -> listener.accept(event)));
    }

    private void leave(String channel, Consumer<StoreEvent> listener) {
        @Nullable
        List<Consumer<StoreEvent>> left = listeners.computeIfPresent(channel, (key, known) -> {
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
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                EventText.read(message).ifPresent(event -> tell(channel, event));
            }

            @Override
            public void subscribed(String channel, long count) {
                // What was published while nobody listened is lost: look for yourselves.
                tell(channel, new StoreEvent.Connected());
            }
        });
        subscribe(connection, List.copyOf(listeners.keySet()));
    }

    private void subscribe(StatefulRedisPubSubConnection<String, String> connection, List<String> channels) {
        if (channels.isEmpty()) {
            return;
        }
        connection.async().subscribe(channels.toArray(String[]::new)).whenComplete((done, failure) -> {
            if (failure instanceof RedisCommandExecutionException && channels.size() > 1) {
                // For one of them, perhaps, and then for all.
                channels.forEach(channel -> subscribe(connection, List.of(channel)));
            } else if (failure instanceof RedisCommandExecutionException) {
                refused(channels.get(0), failure);
            } else if (failure != null) {
                reconnecting.giveUp(connection, new RedisException("The subscription failed", failure));
            }
        });
    }

    /** Said of the first: a user who lacks the channels of the prefix lacks those of all elections. */
    private void refused(String channel, Throwable failure) {
        if (saidRefused.compareAndSet(false, true)) {
            log.warn(
                    "Redis refuses the subscription to [{}]: changes of leader are noticed up to one lease later, and remote requests to abdicate"
                            + " are not received. Grant the Redis user SUBSCRIBE and the channels of election.redis.key-prefix. Further"
                            + " refused channels are not logged ({})",
                    channel,
                    failure.getMessage());
        } else {
            log.debug("Redis refuses the subscription to [{}]", channel, failure);
        }
    }

    private void tell(String channel, StoreEvent event) {
        listeners.getOrDefault(channel, List.of()).forEach(listener -> listener.accept(event));
    }
}
