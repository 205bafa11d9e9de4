package dev.election.record;

import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Failed;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReadOutcome;
import dev.election.record.RecordStore.Stored;
import dev.election.store.LeaseStore.Subscription;
import dev.election.support.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@link RecordStore#watch} for a store without notifications: reads each watched key regularly. This costs a request for each
 * key; a store that can ask for many at once does so itself. Listeners run on the thread that completes the read.
 */
public final class PolledKeys implements AutoCloseable {

    private final RecordStore store;
    private final Duration interval;
    private final ScheduledExecutorService timer;

    /**
     * Creates it without reading a key yet.
     *
     * @param interval the time between two looks at a key: part of the store's {@code messageDelay}
     */
    public PolledKeys(RecordStore store, Duration interval) {
        this.store = store;
        this.interval = interval;
        this.timer = new DaemonThreads("election-poll").timer();
    }

    /** Watches a key as {@link RecordStore#watch} says, until the subscription or this is closed. */
    public Subscription watch(String key, Consumer<Change> listener) {
        return new Watch(key, listener);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    private final class Watch implements Subscription {

        private final String key;
        private final Consumer<Change> listener;
        private final Future<?> looks;

        /** The latest news of the key. Guarded by this, as are the three fields below. */
        private @Nullable String news;

        private boolean isAsking;
        private boolean wasAway;
        private boolean isClosed;

        Watch(String key, Consumer<Change> listener) {
            this.key = key;
            this.listener = listener;
            long nanos = interval.toNanos();
            this.looks = timer.scheduleWithFixedDelay(this::look, nanos, nanos, TimeUnit.NANOSECONDS);
        }

        private void look() {
            if (begins()) {
                var unused = store.read(key).thenAccept(this::hear);
            }
        }

        /** Begins a look, unless the store owes the answer to the one before. */
        private synchronized boolean begins() {
            boolean begins = !isAsking && !isClosed;
            isAsking |= begins;
            return begins;
        }

        private void hear(ReadOutcome outcome) {
            boolean isBack;
            boolean isNew;
            synchronized (this) {
                isAsking = false;
                boolean isAway = outcome instanceof Failed;
                isBack = wasAway && !isAway && !isClosed;
                wasAway = isAway;
                String now = outcome instanceof Read read ? newsIn(read.stored()) : news;
                isNew = now != null && !now.equals(news) && !isClosed;
                news = now;
            }
            if (isBack) {
                listener.accept(Change.CONNECTION);
            }
            if (isNew) {
                listener.accept(Change.TEXT);
            }
        }

        @Override
        public void close() {
            synchronized (this) {
                isClosed = true;
            }
            looks.cancel(false);
        }
    }

    /** Returns a text that changes with each news of a key. A renewal is no news. */
    private static String newsIn(@Nullable Stored stored) {
        if (stored == null) {
            return "";
        }
        return RecordSummary.of(stored.text()).map(RecordSummary::latestNews).orElse("version " + stored.version());
    }
}
