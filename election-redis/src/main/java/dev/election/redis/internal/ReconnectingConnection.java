package dev.election.redis.internal;

import dev.election.redis.internal.ReconnectPauses.Failed;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
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

    /** The outcome of the latest attempt; pending until the first attempt has ended. */
    private volatile CompletableFuture<C> current = new CompletableFuture<>();

    /** Those who have asked before that, in this order: no request may overtake another, such as a release its campaign. */
    private final Queue<CompletableFuture<Void>> first = new ArrayDeque<>();

    private volatile boolean firstAreThrough;

    private volatile @Nullable GivenUp<C> lastGivenUp;
    private boolean closed;
    private long usedSince;

    /** Since when the present connection is not trusted, or since when there is none. */
    private long lostAt = System.nanoTime();

    /** Whether the present connection may be dead. Ends when it says something, and then no other is needed. */
    private volatile boolean suspected;

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
        synchronized (this) {
            if (attempting || closed) {
                return;
            }
            attempting = true;
        }
        attemptIn(0);
    }

    /** The connection; failed while there is none. Those who ask before the first attempt has an outcome are served in their order. */
    CompletableFuture<C> current() {
        return firstAreThrough ? current : queued();
    }

    /** The connection if there is one right now. */
    @Nullable
    C now() {
        CompletableFuture<C> seen = current;
        return seen.isDone() && !seen.isCompletedExceptionally() ? seen.join() : null;
    }

    /** For how long that connection has been in use without a break of any part of it; one that was replaced counts as new. */
    synchronized Duration age(C connection) {
        return now() == connection ? Duration.ofNanos(System.nanoTime() - usedSince) : Duration.ZERO;
    }

    /** Since when the present connection is in use, by {@link System#nanoTime}; that before is not used any more since then. */
    synchronized long usedSince() {
        return usedSince;
    }

    /** How long ago the connection before the present one was lost, or began to be suspected. */
    synchronized Duration sinceLoss() {
        return Duration.ofNanos(System.nanoTime() - lostAt);
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
     * Opens another connection beside one that may be dead, unless that is {@link #trust trusted} again before. Does nothing if it is
     * not the present one. While an attempt is under way there is no further one: a server that is slow would only get slower.
     *
     * @param reason what whoever still waits for a reply hears when the old one is closed
     */
    boolean suspect(C connection, RedisException reason) {
        return another(connection, reason, false);
    }

    /**
     * The same for one of which a part is known to be dead, such as that to one member of a Cluster: what goes over the others goes on.
     * The next may be the same, so there is a pause.
     */
    void replace(C connection, RedisException reason) {
        another(connection, reason, true);
    }

    private boolean another(C connection, RedisException reason, boolean mayBeInVain) {
        boolean isYoung;
        synchronized (this) {
            if (now() != connection || closed) {
                return false;
            }
            long now = System.nanoTime();
            isYoung = pauses.isShort(now - usedSince);
            if (mayBeInVain) {
                // What takes the place of that part may be another server.
                usedSince = now;
            }
            if (!suspected) {
                suspected = true;
                lostAt = now;
                lastGivenUp = new GivenUp<>(connection, reason);
            }
            if (attempting) {
                return false;
            }
            attempting = true;
        }
        attemptIn(mayBeInVain && isYoung ? pauses.afterShortUse() : pauses.first());
        return true;
    }

    /** The connection has received data, so it is not dead. */
    void trust(C connection) {
        if (!suspected) {
            return;
        }
        synchronized (this) {
            if (now() == connection) {
                suspected = false;
            }
        }
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
            current = CompletableFuture.failedFuture(new StoreClosedException());
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
        if (!isNeeded()) {
            return;
        }
        long begun = System.nanoTime();
        long limit = patience.nanos();
        C connection;
        try {
            connection = connect();
        } catch (RuntimeException | Error failure) {
            long took = System.nanoTime() - begun;
            // Not by the time alone: the patience is shared, and may have been another when the attempt began.
            boolean timedOut = took >= limit || Failures.isTimeout(failure);
            if (timedOut) {
                // Of several that were asked one after the other each had its patience.
                patience.timedOutAfter(Math.min(took, limit));
            }
            long pause = pauses.after(timedOut ? Failed.UNANSWERED : Failures.refusal(failure));
            attemptIn(pause);
            log.debug("No connection to Redis; next attempt in {} ms", pause, failure);
            fail(failure);
            return;
        }
        patience.connectedAfter(patience.slowestSince(begun));
        pauses.connected();
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
                if (connection instanceof StatefulRedisClusterConnection) {
                    // From one of its members only. Of most of them the next request that fails tells instead.
                    replace(connection, wasClosed());
                } else {
                    broken(connection, wasClosed());
                }
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
            log.error("A new connection to Redis failed during its setup. Another one is opened", failure);
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
                if (left == 1 || pauses.isFlapping() || !Failures.isHangUp(failure)) {
                    throw failure;
                }
            }
        }
    }

    private boolean use(C connection) {
        boolean notNeeded;
        C replaced = null;
        synchronized (this) {
            notNeeded = closed || isTrusted();
            attempting = false;
            if (!notNeeded) {
                replaced = now();
                suspected = false;
                usedSince = System.nanoTime();
                current = CompletableFuture.completedFuture(connection);
            }
        }
        if (notNeeded) {
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
            C present = now();
            if (closed || present != null) {
                GivenUp<C> last = lastGivenUp;
                if (last != null && last.connection == present) {
                    // Why there is no better one, such as a password that has been changed, tells more than how that
                    // one ended.
                    lastGivenUp = new GivenUp<>(present, failure);
                }
                return;
            }
            current = CompletableFuture.failedFuture(failure);
        }
        letFirstThrough();
    }

    private synchronized CompletableFuture<C> queued() {
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
            long now = System.nanoTime();
            wasShort = pauses.isShort(now - usedSince);
            lostAt = suspected ? lostAt : now;
            suspected = false;
            current = CompletableFuture.failedFuture(reason);
            if (attempting) {
                return true;
            }
            attempting = true;
        }
        attemptIn(wasShort ? pauses.afterShortUse() : pauses.first());
        return true;
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

    private synchronized boolean isNeeded() {
        boolean needed = !closed && !isTrusted();
        attempting = needed;
        return needed;
    }

    private boolean isTrusted() {
        return now() != null && !suspected;
    }

    private record GivenUp<C>(C connection, Throwable reason) {}
}
