package dev.election.kubernetes.internal;

import dev.election.http.Json;
import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Origin;
import dev.election.record.RecordStore.Read;
import dev.election.store.LeaseStore.Subscription;
import dev.election.support.DaemonThreads;
import dev.election.support.ReadableDuration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the Leases of the watched keys, on one connection and one thread that begin with the first watcher. It lists them first, so that nothing is
 * missed, and passes on the text with each event, so that nobody has to read it. A watch may fall silent without an end, where etcd was
 * restored below the API server: {@link #noticed} finds that.
 */
final class LeaseWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LeaseWatch.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** A watch that ends sooner has not held: otherwise one that ends at once would begin again without a pause. */
    private static final Duration HELD = Duration.ofMillis(500);

    /** A watch that has not shown within that time what a request has read is silent. */
    private static final Duration LATE = Duration.ofSeconds(2);

    private final ApiServer api;
    private final Proof proof;
    private final LeaseNames names;
    private final Duration lease;

    /** Guarded by this, as are the others. */
    private final Map<String, Watched> watched = new HashMap<>();

    private @Nullable Thread thread;
    private @Nullable ApiConnection current;

    /** Whether the present connection was closed because the watch has to begin again. */
    private boolean isReopened;

    /** Whether the store was replaced since it was listed last. */
    private boolean isReplaced;

    private boolean isClosed;

    private volatile boolean isListening;

    /** When it began to, for its own thread only. */
    private long begunAt;

    /**
     * Creates a watch that connects to nothing yet.
     *
     * @param lease the time within which news is found without it, for the log
     */
    LeaseWatch(ApiServer api, Proof proof, LeaseNames names, Duration lease) {
        this.api = api;
        this.proof = proof;
        this.names = names;
        this.lease = lease;
    }

    /** A key with its watchers. */
    private static final class Watched {

        final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();

        /** The latest version that the watch has shown. */
        long version;

        /** A later one that a request has read, 0 for none, and when. */
        long missed;

        long missedAt;
    }

    /** Whether events arrive at present. */
    boolean isListening() {
        return isListening;
    }

    synchronized Subscription add(String key, Consumer<Change> listener) {
        boolean isNewFolder = !folders().contains(LeaseNames.folder(key));
        watched.computeIfAbsent(key, unknown -> new Watched()).listeners.add(listener);
        if (isNewFolder) {
            reopen();
        }
        if (thread == null && !isClosed) {
            thread = new DaemonThreads("election-kubernetes-watch").newThread(this::run);
            thread.start();
        }
        return () -> remove(key, listener);
    }

    private synchronized void remove(String key, Consumer<Change> listener) {
        Watched left = watched.get(key);
        if (left != null && left.listeners.remove(listener) && left.listeners.isEmpty()) {
            watched.remove(key);
        }
    }

    private synchronized List<String> folders() {
        TreeSet<String> folders = new TreeSet<>();
        watched.keySet().forEach(key -> folders.add(LeaseNames.folder(key)));
        return List.copyOf(folders);
    }

    /** Begins the watch again, since the present one may show nothing any more. */
    synchronized void reopen() {
        isReopened = true;
        if (current != null) {
            current.close();
        }
        notifyAll();
    }

    /** Begins the watch again, since the store behind the API server was replaced. Watchers hear of it as of another connection. */
    synchronized void replaced() {
        isReplaced = true;
        reopen();
    }

    /** Notes which version of a Lease a request has read. */
    synchronized void noticed(LeaseObject read) {
        Watched one = watched.get(read.key());
        if (one == null || !isListening || read.version() <= one.version) {
            return;
        }
        if (one.version == 0) {
            // The key was added after the Leases were listed.
            one.version = read.version();
            return;
        }
        long now = System.nanoTime();
        if (one.missed <= one.version) {
            one.missed = read.version();
            one.missedAt = now;
        } else if (now - one.missedAt > LATE.toNanos()) {
            log.debug("The watch of Leases has not shown version {} of {}: it begins again", one.missed, read.name());
            reopen();
        }
    }

    private void run() {
        Duration pause = Duration.ZERO;
        boolean isWarned = false;
        while (sleep(pause)) {
            boolean wasAway = pause.compareTo(Duration.ZERO) > 0;
            String failure = attempt(wasAway);
            boolean hasBegun = isListening;
            boolean hasHeld = hasBegun && System.nanoTime() - begunAt > HELD.toNanos();
            isListening = false;
            if (hasHeld || failure == null) {
                isWarned = false;
                pause = failure == null || failure.isEmpty() ? Duration.ZERO : FIRST_PAUSE;
            } else {
                // One that had begun is mostly back at once, as where API servers are updated one after the other.
                if (!isWarned && (wasAway || !hasBegun)) {
                    isWarned = true;
                    log.warn(
                            "Failed to watch the Leases of the elections, so news take up to {} until a retry succeeds: {}",
                            ReadableDuration.of(lease),
                            failure.isEmpty() ? "the API server ends it at once" : failure);
                }
                pause = wasAway ? longer(pause) : FIRST_PAUSE;
            }
        }
    }

    /** Returns why it has failed, empty if the API server has ended it, and {@code null} if it was closed here. */
    private @Nullable String attempt(boolean wasAway) {
        try {
            listen(wasAway);
            return "";
        } catch (Throwable failure) {
            // Also an error: without this thread nothing would be heard any more.
            return endsInOrder() ? null : ApiFailure.answer(failure).detail();
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
    }

    /** Lists, and then listens until the server ends the watch. */
    private void listen(boolean wasAway) throws IOException {
        try (ApiConnection connection = connected()) {
            String selector = LeaseObject.selector(names.prefix(), folders());
            Proof.Sent sent = proof.sending("");
            ApiServer.Leases leases = api.list(connection.http(), selector);
            Origin origin = new Origin(null, proof.listed(connection.link(), sent, leases.version()));
            if (takeReplaced() || wasAway) {
                all().forEach(listener -> tell(listener, Change.CONNECTION));
            }
            leases.all().forEach(lease -> show(lease, origin));
            api.watch(
                    connection.http(),
                    selector,
                    leases.version(),
                    this::begin,
                    event -> take(event, connection.link()));
        }
    }

    private synchronized boolean takeReplaced() {
        boolean was = isReplaced;
        isReplaced = false;
        return was;
    }

    private void begin() {
        begunAt = System.nanoTime();
        isListening = true;
    }

    private ApiConnection connected() throws IOException {
        ApiConnection opened = new ApiConnection(api, proof);
        synchronized (this) {
            isReopened = false;
            current = opened;
            if (isClosed) {
                opened.close();
            }
        }
        return opened;
    }

    private void take(Map<String, Object> event, Proof.Link link) {
        Origin origin = new Origin(null, proof.told(link));
        String type = Json.text(event, "type");
        Map<String, Object> object = Json.at(event, "object");
        if (type.equals("ERROR")) {
            // Mostly 410: the list that comes next is newer.
            throw new Ended(Json.text(object, "message"));
        }
        if (!type.equals("BOOKMARK")) {
            LeaseObject lease = LeaseObject.of(object);
            show(type.equals("DELETED") ? lease.emptied() : lease, origin);
        }
    }

    /** Thrown where the API server ends a watch by an event. */
    private static final class Ended extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Ended(String message) {
            super(message);
        }
    }

    private void show(LeaseObject lease, Origin origin) {
        List<Consumer<Change>> listeners;
        synchronized (this) {
            Watched one = watched.get(lease.key());
            if (one == null || !lease.isOf(names)) {
                return;
            }
            one.version = lease.version();
            one.missed = 0;
            listeners = one.listeners;
        }
        if (proof.isOutdated(lease.name(), lease.version())) {
            // A reply has overtaken the event. That of the later text follows.
            return;
        }
        Change change = new Change.Text(new Read(lease.stored(), origin));
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
