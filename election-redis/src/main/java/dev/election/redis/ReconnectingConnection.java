package dev.election.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection open: opens another whenever it breaks, is given up or is suspected to be dead. One that is suspected stays in
 * use until there is another, and is heard for a while after that: its replies may only be late. Lettuce could reconnect by itself,
 * but would send again what was under way, wait up to half a minute between attempts and stay with a server that hangs.
 */
final class ReconnectingConnection<C extends StatefulConnection<String, String>> {

    private static final Logger log = LoggerFactory.getLogger(ReconnectingConnection.class);

    private static final int TRIES_FOR_A_REASON = 3;

    private final Supplier<C> connect;
    private final Consumer<C> connected;
    private final ConnectThread thread;
    private final ReconnectPauses pauses;
    private final ConnectPatience patience;
    private final long afterlifeMillis;

    /** What the latest attempt came to; pending until the first has an outcome. */
    private volatile CompletableFuture<C> current = new CompletableFuture<>();

    /** Those who have asked before that, in this order: no request may overtake another, such as a release its campaign. */
    private final Queue<CompletableFuture<Void>> first = new ArrayDeque<>();

    private volatile boolean firstAreThrough;

    private volatile @Nullable GivenUp<C> lastGivenUp;
    private boolean closed;
    private long usedSince;

    /** Whether an attempt is under way or about to be made. There is never more than one: none is dropped for another. */
    private boolean attempting;

    /** Was suspected and has been replaced, and may still say something. */
    private @Nullable C retired;

    /**
     * @param connect blocks until it has a connection or fails
     * @param connected told of each connection once it can be used
     * @param thread where to connect
     * @param pauses between attempts
     * @param patience how long an attempt may take; told how long they took
     * @param afterlife how long a connection that was replaced is heard
     */
    ReconnectingConnection(
            Supplier<C> connect,
            Consumer<C> connected,
            ConnectThread thread,
            ReconnectPauses pauses,
            ConnectPatience patience,
            Duration afterlife) {
        this.connect = connect;
        this.connected = connected;
        this.thread = thread;
        this.pauses = pauses;
        this.patience = patience;
        this.afterlifeMillis = afterlife.toMillis();
    }

    void open() {
        attemptNow();
    }

    /** The connection; failed while there is none. Those who ask before the first attempt has an outcome are served in their order. */
    CompletableFuture<C> current() {
        return firstAreThrough ? current : inLine();
    }

    /** The connection if there is one right now. */
    @Nullable
    C now() {
        CompletableFuture<C> seen = current;
        return seen.isDone() && !seen.isCompletedExceptionally() ? seen.join() : null;
    }

    /** For how long that connection has been in use without a break; one that was replaced counts as new. */
    synchronized Duration age(C connection) {
        return now() == connection ? Duration.ofNanos(System.nanoTime() - usedSince) : Duration.ZERO;
    }

    /**
     * Gives up a connection that can't be trusted any more. Does nothing if it is not the present one.
     *
     * @param reason what whoever asks before there is another connection hears
     */
    void giveUp(C suspect, RedisException reason) {
        synchronized (this) {
            if (now() == suspect) {
                lastGivenUp = new GivenUp<>(suspect, reason);
            }
        }
        if (broken(suspect, reason)) {
            discard(suspect);
        }
    }

    /**
     * Opens another connection beside one that may be dead. Does nothing if it is not the present one, or if another is being opened.
     *
     * @param reason what whoever still waits for a reply hears when the old one is closed
     */
    boolean suspect(C connection, RedisException reason) {
        synchronized (this) {
            if (now() != connection || attempting) {
                return false;
            }
            lastGivenUp = new GivenUp<>(connection, reason);
        }
        attemptNow();
        return true;
    }

    /** Why a request had no answer that ended with that connection: of one that was given up, the reason for that. */
    Throwable explain(C connection, Throwable end) {
        GivenUp<C> last = lastGivenUp;
        return last != null && last.connection == connection ? last.reason : end;
    }

    void close() {
        C open;
        C old;
        synchronized (this) {
            closed = true;
            open = now();
            old = retired;
            retired = null;
            current = CompletableFuture.failedFuture(new RedisConnectionException("The store is closed"));
        }
        letFirstThrough();
        if (old != null) {
            discard(old);
        }
        if (open != null) {
            open.close();
        }
    }

    private void attempt() {
        if (isClosed()) {
            return;
        }
        long begun = System.nanoTime();
        long limit = patience.nanos();
        C connection;
        try {
            connection = connect();
        } catch (RuntimeException | Error failure) {
            long took = System.nanoTime() - begun;
            boolean timedOut = took >= limit;
            if (timedOut) {
                patience.timedOutAfter(took);
            }
            long pause = pauses.after(timedOut);
            attemptIn(pause);
            log.debug("No connection to Redis; next attempt in {} ms", pause, failure);
            fail(failure);
            return;
        }
        patience.connectedAfter(System.nanoTime() - begun);
        pauses.connected();
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
                broken(connection, wasClosed());
            }
        });
        if (use(connection)) {
            announce(connection);
        }
    }

    private void announce(C connection) {
        try {
            connected.accept(connection);
        } catch (RuntimeException | Error failure) {
            log.error("A connection to Redis could not be put to use; another is opened", failure);
            if (broken(connection, new RedisConnectionException("The connection could not be put to use", failure))) {
                discard(connection);
            }
        }
    }

    /**
     * A server that refuses the credentials hangs up, and the client then sometimes tells of the end instead of the refusal. The
     * refusal is what the operator needs: asked again, it comes out.
     */
    private C connect() {
        for (int left = TRIES_FOR_A_REASON; ; left--) {
            try {
                return connect.get();
            } catch (RedisException failure) {
                if (left == 1 || !Failures.isHangUp(failure)) {
                    throw failure;
                }
            }
        }
    }

    private boolean use(C connection) {
        boolean tooLate;
        C replaced = null;
        synchronized (this) {
            tooLate = closed;
            attempting = false;
            if (!tooLate) {
                replaced = now();
                usedSince = System.nanoTime();
                current = CompletableFuture.completedFuture(connection);
            }
        }
        if (tooLate) {
            discard(connection);
            return false;
        }
        if (replaced != null) {
            retire(replaced);
        }
        letFirstThrough();
        if (!connection.isOpen()) {
            // It broke before the listener was there.
            broken(connection, wasClosed());
        }
        return true;
    }

    /** Replies that are late may come until then. */
    private void retire(C connection) {
        C older;
        synchronized (this) {
            older = retired;
            retired = connection;
        }
        if (older != null) {
            discard(older);
        }
        if (afterlifeMillis == 0) {
            bury(connection);
        } else {
            thread.attemptIn(afterlifeMillis, () -> bury(connection));
        }
    }

    private void bury(C connection) {
        synchronized (this) {
            if (retired != connection) {
                return;
            }
            retired = null;
        }
        discard(connection);
    }

    private void fail(Throwable failure) {
        synchronized (this) {
            if (closed || now() != null) {
                return;
            }
            current = CompletableFuture.failedFuture(failure);
        }
        letFirstThrough();
    }

    private synchronized CompletableFuture<C> inLine() {
        if (firstAreThrough) {
            return current;
        }
        CompletableFuture<Void> turn = new CompletableFuture<>();
        first.add(turn);
        return turn.thenCompose(come -> current);
    }

    private void letFirstThrough() {
        for (CompletableFuture<Void> turn = nextOfFirst(); turn != null; turn = nextOfFirst()) {
            turn.complete(null);
        }
    }

    private synchronized @Nullable CompletableFuture<Void> nextOfFirst() {
        CompletableFuture<Void> next = first.poll();
        firstAreThrough = next == null;
        return next;
    }

    private boolean broken(C connection, RedisException reason) {
        boolean wasShort;
        synchronized (this) {
            if (closed || now() != connection) {
                return false;
            }
            long longest = ReconnectPauses.longest().toNanos();
            wasShort = System.nanoTime() - usedSince < longest;
            current = CompletableFuture.failedFuture(reason);
            if (attempting) {
                return true;
            }
            attempting = true;
        }
        // One that broke as soon as it was used, at a read-only replica for instance, would do so again and again.
        attemptIn(wasShort ? ReconnectPauses.longest().toMillis() : 0);
        return true;
    }

    private void attemptNow() {
        synchronized (this) {
            if (attempting || closed) {
                return;
            }
            attempting = true;
        }
        attemptIn(0);
    }

    private void attemptIn(long pause) {
        attemptAt(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pause));
    }

    /** In steps: a late reply on an old connection may make this process a leader, which does not wait for longer than a step. */
    private void attemptAt(long time) {
        long left = Math.max(0, time - System.nanoTime());
        long step = Math.min(ReconnectPauses.longest().toMillis(), TimeUnit.NANOSECONDS.toMillis(left + 999_999));
        thread.attemptIn(step, () -> {
            if (time - System.nanoTime() <= 0 || pauses.mayLead()) {
                attempt();
            } else {
                attemptAt(time);
            }
        });
    }

    private static RedisException wasClosed() {
        return new RedisConnectionException("The connection was closed");
    }

    private static void discard(StatefulConnection<?, ?> connection) {
        connection.closeAsync().exceptionally(failure -> {
            log.debug("A connection that was given up did not close", failure);
            return null;
        });
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private record GivenUp<C>(C connection, RedisException reason) {}
}
