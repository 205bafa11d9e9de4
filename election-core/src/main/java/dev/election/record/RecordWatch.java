package dev.election.record;

import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Read;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.NoAnswer;
import dev.election.support.DaemonThreads;
import dev.election.support.LogLimit;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Implements {@link RecordStore#watch} for a store that sends events, on one connection and one thread that begin with the first watcher. It lists the
 * texts first, so that nothing is missed, and passes on the text with each event, so that nobody has to read it. A watch may fall silent
 * without an end, where the store was restored below its server, or the network drops everything: {@link #noticed} finds that.
 *
 * @param <C> the connection
 */
public final class RecordWatch<C extends KeptConnections.Connection> implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RecordWatch.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** A watch that ends sooner has not held: otherwise one that ends at once would begin again without a pause. */
    private static final Duration HELD = Duration.ofMillis(500);

    /** A watch that has not shown within that time what a request has read is silent. */
    private static final Duration LATE = Duration.ofSeconds(2);

    private final String thread;
    private final Duration lease;
    private final KeptConnections.Kind<C> kind;
    private final Source<C> source;

    /** Guarded by this, as are the others. */
    private final Map<String, Watched> watched = new HashMap<>();

    private boolean isStarted;
    private @Nullable C current;

    /** Whether the present connection was closed because the watch has to begin again. */
    private boolean isReopened;

    /** Whether the store was replaced since it was listed last. */
    private boolean isReplaced;

    private boolean isClosed;

    private volatile boolean isListening;

    /** When it began to, for its own thread only. */
    private long begunAt;

    private final LogLimit failures = LogLimit.once();

    /**
     * Creates a watch that connects to nothing yet.
     *
     * @param thread the name of its thread
     * @param lease the time within which news is found without it, for the log
     * @param kind the kind of connection
     */
    public RecordWatch(String thread, Duration lease, KeptConnections.Kind<C> kind, Source<C> source) {
        this.thread = thread;
        this.lease = lease;
        this.kind = kind;
        this.source = source;
    }

    /** The store that sends the events. */
    public interface Source<C> {

        /** Returns what is watched, for the log. */
        String what();

        /** Lists the texts in those parts, and then listens until the store ends that. */
        void listen(C connection, Set<String> parts, Listener listener) throws Exception;

        /** Returns the part of the store that is listened to for a key. The watch begins again for a key in another part. */
        default String part(String key) {
            return "";
        }
    }

    /** Is called by a {@link Source}, in that order. Texts may be those of keys that nobody watches. */
    public interface Listener {

        /** The texts were listed: they follow. */
        void listed();

        /**
         * A text that was listed, or an event.
         *
         * @param version rises with each write of the store
         */
        void shown(String key, long version, Read read);

        /** Events arrive from now on. */
        void begun();
    }

    /** A key with its watchers. */
    private static final class Watched {

        final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();

        /** The latest version that the watch has shown. */
        long shown;

        /** The latest version in a reply. */
        long noticed;

        /** One in a reply that the watch had not shown by then, and when. */
        long missed;

        long missedAt;
    }

    /** Whether events arrive at present. */
    public boolean isListening() {
        return isListening;
    }

    /** Watches a key as {@link RecordStore#watch} says. */
    public synchronized Subscription add(String key, Consumer<Change> listener) {
        boolean isNewPart = !parts().contains(source.part(key));
        watched.computeIfAbsent(key, unknown -> new Watched()).listeners.add(listener);
        if (isNewPart) {
            reopen();
        }
        if (!isStarted && !isClosed) {
            isStarted = true;
            new DaemonThreads(thread).newThread(this::run).start();
        }
        return () -> remove(key, listener);
    }

    private synchronized void remove(String key, Consumer<Change> listener) {
        Watched left = watched.get(key);
        if (left != null && left.listeners.remove(listener) && left.listeners.isEmpty()) {
            watched.remove(key);
        }
    }

    private synchronized Set<String> parts() {
        Set<String> parts = new TreeSet<>();
        watched.keySet().forEach(key -> parts.add(source.part(key)));
        return parts;
    }

    /** Begins the watch again, since the present one may show nothing any more. */
    private synchronized void reopen() {
        isReopened = true;
        if (current != null) {
            current.close();
        }
        notifyAll();
    }

    /** Begins the watch again, since the store was replaced. Watchers hear of it as of another connection. */
    public synchronized void replaced() {
        isReplaced = true;
        watched.values().forEach(one -> one.noticed = 0);
        reopen();
    }

    /** Notes the version of a text in a reply, to a read or a write. */
    public synchronized void noticed(String key, long version) {
        Watched one = watched.get(key);
        if (one == null) {
            return;
        }
        one.noticed = Math.max(one.noticed, version);
        if (!isListening || version <= one.shown) {
            return;
        }
        if (one.shown == 0) {
            // The key was added after the texts were listed.
            one.shown = version;
            return;
        }
        long now = System.nanoTime();
        if (one.missed <= one.shown) {
            one.missed = version;
            one.missedAt = now;
        } else if (now - one.missedAt > LATE.toNanos()) {
            log.debug("The watch has not shown version {} of {}: it begins again", one.missed, key);
            reopen();
        }
    }

    /**
     * How a watch has ended.
     *
     * @param isOwn whether it was closed here
     * @param failure why it has failed, {@code null} if the store has ended it
     */
    private record Ending(boolean isOwn, @Nullable NoAnswer failure) {}

    private void run() {
        Duration pause = Duration.ZERO;
        while (sleep(pause)) {
            boolean wasAway = pause.compareTo(Duration.ZERO) > 0;
            Ending ending = attempt(wasAway);
            boolean hasBegun = isListening;
            boolean hasHeld = noteHeld();
            isListening = false;
            if (hasHeld || ending.isOwn) {
                pause = ending.isOwn || ending.failure == null ? Duration.ZERO : FIRST_PAUSE;
            } else {
                // One that had begun is mostly back at once, as where servers are updated one after the other.
                if (wasAway || !hasBegun) {
                    warn(ending.failure);
                }
                pause = wasAway ? longer(pause) : FIRST_PAUSE;
            }
        }
    }

    private Ending attempt(boolean wasAway) {
        try {
            listen(wasAway);
            return new Ending(false, null);
        } catch (Throwable failure) {
            // Also an error: without this thread nothing would be heard any more.
            return new Ending(endsInOrder(), kind.answer(failure));
        }
    }

    private void warn(@Nullable NoAnswer failure) {
        if (!failures.begins(source)) {
            return;
        }
        log.warn(
                "Failed to watch {}, so news take up to {} until a retry succeeds: {}",
                source.what(),
                ReadableDuration.of(lease),
                failure == null
                        ? "the server ends it at once"
                        : failure.action() + ". (" + failure.problem() + ": " + failure.detail() + ")");
    }

    /** Returns whether the watch has held, and logs it if one was warned of. */
    private boolean noteHeld() {
        boolean hasHeld = isListening && System.nanoTime() - begunAt > HELD.toNanos();
        if (hasHeld && failures.ends(source)) {
            log.info("The watch of {} works again", source.what());
        }
        return hasHeld;
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
    }

    /** Lists, and then listens until the store ends the watch. */
    private void listen(boolean wasAway) throws Exception {
        C connection = connected();
        try {
            source.listen(connection, parts(), new Listener() {
                @Override
                public void listed() {
                    if (takeReplaced() || wasAway) {
                        all().forEach(listener -> tell(listener, Change.CONNECTION));
                    }
                }

                @Override
                public void shown(String key, long version, Read read) {
                    noteHeld();
                    show(key, version, read);
                }

                @Override
                public void begun() {
                    begunAt = System.nanoTime();
                    isListening = true;
                }
            });
        } finally {
            connection.close();
        }
    }

    private synchronized boolean takeReplaced() {
        boolean was = isReplaced;
        isReplaced = false;
        return was;
    }

    private C connected() throws Exception {
        C opened = kind.open();
        synchronized (this) {
            isReopened = false;
            current = opened;
            if (isClosed) {
                opened.close();
            }
        }
        return opened;
    }

    private void show(String key, long version, Read read) {
        List<Consumer<Change>> listeners;
        synchronized (this) {
            Watched one = watched.get(key);
            if (one == null) {
                return;
            }
            one.shown = version;
            one.missed = 0;
            if (version < one.noticed) {
                // A reply has overtaken the event. That of the later text follows.
                return;
            }
            listeners = one.listeners;
        }
        Change change = new Change.Text(read);
        listeners.forEach(listener -> tell(listener, change));
    }

    /** Calls a listener. If it throws, no other listener misses anything. */
    private static void tell(Consumer<Change> listener, Change change) {
        try {
            listener.accept(change);
        } catch (RuntimeException failure) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        }
    }

    private synchronized List<Consumer<Change>> all() {
        List<Consumer<Change>> all = new ArrayList<>();
        watched.values().forEach(one -> all.addAll(one.listeners));
        return all;
    }

    /** Whether the connection was closed here. */
    private synchronized boolean endsInOrder() {
        boolean ends = isReopened || isClosed;
        isReopened = false;
        return ends;
    }

    /** Waits for so long, and until there is a watcher. Returns whether to go on. */
    private synchronized boolean sleep(Duration pause) {
        long until = System.nanoTime() + pause.toNanos();
        try {
            for (long left = pause.toMillis(); left > 0 && !isClosed; left = (until - System.nanoTime()) / 1_000_000) {
                wait(left);
            }
            while (watched.isEmpty() && !isClosed) {
                wait();
            }
            return !isClosed;
        } catch (InterruptedException stopped) {
            return false;
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        watched.clear();
        notifyAll();
        if (current != null) {
            current.close();
        }
    }
}
