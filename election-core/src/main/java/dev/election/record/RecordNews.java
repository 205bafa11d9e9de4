package dev.election.record;

import dev.election.record.StoredElection.News;
import dev.election.store.EventText;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Passes each news in the record of an election on to its listeners, once. */
final class RecordNews {

    /** The listeners, and whether they are called: not before the news that stood in the record when they came counts as known. */
    private final Map<Consumer<StoreEvent>, Boolean> listeners = new LinkedHashMap<>();

    /** The ids of the latest known news. */
    private Set<String> heard = Set.of();

    /** Adds a listener, and returns the task that removes it. */
    synchronized Runnable add(Consumer<StoreEvent> listener) {
        listeners.put(listener, false);
        return () -> remove(listener);
    }

    synchronized void open(Consumer<StoreEvent> listener) {
        listeners.computeIfPresent(listener, (known, isOpen) -> true);
    }

    /**
     * Passes on the news that are not known yet.
     *
     * @param clock the time of the store at which they were read, {@code null} if it has no clock
     */
    void hear(List<News> news, @Nullable Instant clock) {
        List<Consumer<StoreEvent>> told;
        List<News> fresh;
        synchronized (this) {
            Set<String> known = heard;
            fresh = news.stream().filter(one -> !known.contains(one.id())).toList();
            if (fresh.isEmpty()) {
                return;
            }
            // An older record may still be on its way: its news are known too.
            Set<String> all = new LinkedHashSet<>(known);
            news.forEach(one -> all.add(one.id()));
            heard = all.size() > 256
                    ? new LinkedHashSet<>(new ArrayList<>(all).subList(all.size() - 256, all.size()))
                    : all;
            told = listeners.entrySet().stream()
                    .filter(Map.Entry::getValue)
                    .map(Map.Entry::getKey)
                    .toList();
        }
        for (News one : fresh) {
            EventText.read(one.text()).ifPresent(event -> {
                StoreEvent now = clock == null ? event : later(event, clock.toEpochMilli() - one.millis());
                told.forEach(listener -> tell(listener, now));
            });
        }
    }

    /** Shortens a reservation by the age of its event: its time began when the lease was released. */
    private static StoreEvent later(StoreEvent event, long millis) {
        if (!(event instanceof StoreEvent.Released released) || millis <= 0) {
            return event;
        }
        Duration left = released.reserve().minusMillis(millis);
        return new StoreEvent.Released(
                released.token(), released.successor(), left.isNegative() ? Duration.ZERO : left);
    }

    /** Calls a listener. If it throws, neither the request that brought the news nor another listener fails. */
    private static void tell(Consumer<StoreEvent> listener, StoreEvent event) {
        try {
            listener.accept(event);
        } catch (RuntimeException failure) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        }
    }

    private synchronized void remove(Consumer<StoreEvent> listener) {
        listeners.remove(listener);
    }
}
