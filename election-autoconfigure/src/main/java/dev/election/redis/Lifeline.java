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
 * Keeps one connection open: opens another whenever it breaks or is given up. Lettuce could reconnect by itself, but would send
 * again what was under way, wait up to half a minute between attempts and stay with a server that hangs.
 */
final class Lifeline<C extends StatefulConnection<String, String>> {

    private static final Logger log = LoggerFactory.getLogger(Lifeline.class);

    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 500;
    private static final int TRIES_FOR_A_REASON = 3;

    private final Supplier<C> connect;
    private final Consumer<C> connected;
    private final ConnectThread thread;

    /** What the latest attempt came to; pending until the first has an outcome. */
    private volatile CompletableFuture<C> current = new CompletableFuture<>();

    /** Those who have asked before that, in this order: no request may overtake another, such as a release its campaign. */
    private final Queue<CompletableFuture<Void>> first = new ArrayDeque<>();

    private volatile boolean firstAreThrough;

    private volatile @Nullable GivenUp<C> lastGivenUp;
    private boolean closed;
    private long usedSince;

    /**
     * @param connect blocks until it has a connection or fails
     * @param connected told of each connection once it can be used
     * @param thread where to connect
     */
    Lifeline(Supplier<C> connect, Consumer<C> connected, ConnectThread thread) {
        this.connect = connect;
        this.connected = connected;
        this.thread = thread;
    }

    /** How long it takes at most until a server that is back is asked again, where it refuses connections until then. */
    static Duration longestPause() {
        return Duration.ofMillis(LONGEST_PAUSE_MILLIS);
    }

    void open() {
        attemptIn(0);
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

    /** Why a request had no answer that ended with that connection: of one that was given up, the reason for that. */
    Throwable explain(C connection, Throwable end) {
        GivenUp<C> last = lastGivenUp;
        return last != null && last.connection == connection ? last.reason : end;
    }

    void close() {
        C open;
        synchronized (this) {
            closed = true;
            open = now();
            current = CompletableFuture.failedFuture(new RedisConnectionException("The store is closed"));
        }
        letFirstThrough();
        if (open != null) {
            open.close();
        }
    }

    private void attempt(long pause) {
        if (isClosed()) {
            return;
        }
        C connection;
        try {
            connection = connect();
        } catch (RuntimeException | Error failure) {
            // Before what may fail itself, for want of memory.
            attemptIn(pause);
            log.debug("No connection to Redis; next attempt in {} ms", pause, failure);
            fail(failure);
            return;
        }
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
        synchronized (this) {
            tooLate = closed;
            if (!tooLate) {
                usedSince = System.nanoTime();
                current = CompletableFuture.completedFuture(connection);
            }
        }
        if (tooLate) {
            discard(connection);
            return false;
        }
        letFirstThrough();
        if (!connection.isOpen()) {
            // It broke before the listener was there.
            broken(connection, wasClosed());
        }
        return true;
    }

    private void fail(Throwable failure) {
        synchronized (this) {
            if (closed) {
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
            wasShort = System.nanoTime() - usedSince < TimeUnit.MILLISECONDS.toNanos(LONGEST_PAUSE_MILLIS);
            current = CompletableFuture.failedFuture(reason);
        }
        // One that broke as soon as it was used, at a read-only replica for instance, would do so again and again.
        attemptIn(wasShort ? LONGEST_PAUSE_MILLIS : 0);
        return true;
    }

    private void attemptIn(long pause) {
        long next = Math.min(LONGEST_PAUSE_MILLIS, Math.max(FIRST_PAUSE_MILLIS, pause * 2));
        thread.attemptIn(pause, () -> attempt(next));
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
