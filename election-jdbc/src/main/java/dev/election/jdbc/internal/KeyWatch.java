package dev.election.jdbc.internal;

import dev.election.record.RecordStore.Change;
import dev.election.store.LeaseStore.Subscription;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Polls the database for news under the watched keys, with one statement for all of them. A notification only makes it look at its key at
 * once, since every role that may connect can send one.
 */
final class KeyWatch implements NewsListener.Receiver, AutoCloseable {

    /** Largest number of keys in one statement. */
    private static final int KEYS = 500;

    /** Longest pause while the database can't be reached. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Pause after a notification without news. Doubles with each one, up to the interval of the poll. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

    private final Requests requests;
    private final Duration interval;

    /** Guarded by this, as are the others. */
    private final Map<String, Watched> watched = new HashMap<>();

    private boolean isLooking;
    private boolean isClosed;

    KeyWatch(Requests requests, Duration interval) {
        this.requests = requests;
        this.interval = interval;
    }

    private static final class Watched {

        final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();

        /** News that the latest poll has found; {@code null} if there was no row. */
        @Nullable
        String news;

        /** News that the latest look after a notification has found. */
        @Nullable
        String heard;

        /** Whether a look after a notification is under way, or the pause that follows it. */
        boolean isLookedAt;

        boolean isHeardMeanwhile;
        Duration pause = Duration.ZERO;

        /** Number of lost connections that the listeners know of, or that were lost before they came. */
        int connectionsLost;

        Watched(int connectionsLost) {
            this.connectionsLost = connectionsLost;
        }

        void tell(Change change) {
            listeners.forEach(listener -> listener.accept(change));
        }
    }

    synchronized Subscription add(String key, Consumer<Change> listener) {
        watched.computeIfAbsent(key, unknown -> new Watched(requests.connectionsLost()))
                .listeners
                .add(listener);
        if (!isLooking && !isClosed) {
            isLooking = true;
            lookAfter(interval);
        }
        return () -> remove(key, listener);
    }

    private synchronized void remove(String key, Consumer<Change> listener) {
        Watched left = watched.get(key);
        if (left != null && left.listeners.remove(listener) && left.listeners.isEmpty()) {
            watched.remove(key);
        }
    }

    private void lookAfter(Duration pause) {
        requests.later(pause, this::look);
    }

    private void look() {
        List<String> keys = keys();
        if (keys.isEmpty()) {
            return;
        }
        CompletionStage<Void> unused = ask(keys).thenAccept(news -> {
            lookAfter(news.isEmpty() && interval.compareTo(PAUSE) > 0 ? PAUSE : interval);
            news.ifPresent(present -> compare(keys, present));
        });
    }

    /** Returns the watched keys; if there are none, the polling ends. */
    private synchronized List<String> keys() {
        isLooking = !isClosed && !watched.isEmpty();
        return isLooking ? List.copyOf(watched.keySet()) : List.of();
    }

    private CompletionStage<Optional<Map<String, String>>> ask(List<String> keys) {
        return requests.ask(session -> Optional.of(news(session, keys)), failure -> Optional.empty());
    }

    @Override
    public void received(String key, String news) {
        Watched one;
        synchronized (this) {
            one = watched.get(key);
            if (one == null || news.equals(one.news) || news.equals(one.heard)) {
                return;
            }
            one.isHeardMeanwhile = one.isLookedAt;
            if (one.isLookedAt) {
                return;
            }
            one.isLookedAt = true;
        }
        lookAt(key, one);
    }

    private void lookAt(String key, Watched one) {
        CompletionStage<Void> unused = ask(List.of(key)).thenAccept(news -> {
            boolean isNew = news.isPresent() && notesNew(one, news.get().get(key));
            if (isNew) {
                one.tell(Change.TEXT);
            }
            requests.later(pause(one, isNew), () -> lookAgain(key, one));
        });
    }

    /**
     * Notes what a look after a notification has found, and returns whether it is new. The poll reports it once more, since the read that
     * follows may fail.
     */
    private synchronized boolean notesNew(Watched one, @Nullable String found) {
        boolean isNew = !Objects.equals(found, one.news) && !Objects.equals(found, one.heard);
        one.heard = found;
        return isNew;
    }

    private synchronized Duration pause(Watched one, boolean isNew) {
        Duration twice = one.pause.isZero() ? FIRST_PAUSE : one.pause.multipliedBy(2);
        Duration longer = twice.compareTo(interval) > 0 ? interval : twice;
        one.pause = isNew ? Duration.ZERO : longer;
        return one.pause;
    }

    private void lookAgain(String key, Watched one) {
        synchronized (this) {
            one.isLookedAt = one.isHeardMeanwhile && watched.get(key) == one;
            one.isHeardMeanwhile = false;
            if (!one.isLookedAt) {
                return;
            }
        }
        lookAt(key, one);
    }

    @Override
    public void mayHaveMissed() {
        List<String> keys;
        synchronized (this) {
            keys = List.copyOf(watched.keySet());
        }
        CompletionStage<Void> unused = ask(keys).thenAccept(news -> news.ifPresent(present -> compare(keys, present)));
    }

    private static Map<String, String> news(Session session, List<String> keys) throws SQLException {
        Map<String, String> news = new HashMap<>();
        for (int from = 0; from < keys.size(); from += KEYS) {
            List<String> some = keys.subList(from, Math.min(keys.size(), from + KEYS));
            try (PreparedStatement statement =
                    session.prepare(session.statements().poll(some.size()))) {
                for (int i = 0; i < some.size(); i++) {
                    statement.setString(i + 1, some.get(i));
                }
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        news.put(rows.getString("name"), rows.getString("news"));
                    }
                }
            }
        }
        return news;
    }

    private void compare(List<String> keys, Map<String, String> news) {
        List<Runnable> told = new ArrayList<>();
        synchronized (this) {
            int now = requests.connectionsLost();
            for (String key : keys) {
                Watched one = watched.get(key);
                if (one != null && one.connectionsLost != now) {
                    one.connectionsLost = now;
                    told.add(() -> one.tell(Change.CONNECTION));
                }
                if (one != null && !Objects.equals(one.news, news.get(key))) {
                    one.news = news.get(key);
                    told.add(() -> one.tell(Change.TEXT));
                }
            }
        }
        told.forEach(Runnable::run);
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        watched.clear();
    }
}
