package dev.election.redis.internal.connection;

import dev.election.redis.internal.failure.ConnectFailure;
import dev.election.redis.internal.failure.Failures;
import dev.election.redis.internal.failure.StoreClosedException;
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
 * Keeps one connection open: opens another whenever it breaks, is given up or is suspected to be dead. A suspected one stays in use until
 * there is another, and is read for a while after that, since its replies may only be late. Lettuce could reconnect by itself, but would
 * send again what was under way, wait up to half a minute between attempts and stay with a server that hangs.
 */
public final class ReconnectingConnection<C extends StatefulConnection<String, String>> {

    private static final Logger log = LoggerFactory.getLogger(ReconnectingConnection.class);

    private static final int TRIES_FOR_A_REASON = 3;

    private final Supplier<C> connect;
    private final Consumer<C> connected;
    private final ConnectThread thread;
    private final ReconnectPauses pauses;
    private final ConnectTimeout timeout;
    private final long drainMillis;

    /** The outcome of the latest attempt; pending until the first attempt has ended. */
    private volatile CompletableFuture<C> current = new CompletableFuture<>();

    /** Callers from before the first outcome, in their order: no request may overtake another, such as a release its campaign. */
    private final Queue<CompletableFuture<Void>> first = new ArrayDeque<>();

    private volatile boolean firstAreThrough;

    private volatile @Nullable GivenUp<C> lastGivenUp;
    private boolean closed;
    private long usedSince;

    /** Since when the present connection is not trusted, or since when there is none. */
    private long lostAt = System.nanoTime();

    /** Whether the present connection may be dead. Ends when data arrives on it, and then no other is needed. */
    private volatile boolean suspected;

    /** Whether an attempt is under way or about to be made. There is never more than one: none is dropped for another. */
    private boolean attempting;

    /** Suspected connection that was replaced, on which replies may still arrive. */
    private @Nullable C retired;

    /**
     * @param connect blocks until it has a connection or fails
     * @param connected called with each connection once it can be used
     * @param thread where to connect
     * @param pauses between attempts
     * @param timeout how long an attempt may take; told how long they took
     * @param drain how long a connection that was replaced is read
     */
    public ReconnectingConnection(
            Supplier<C> connect,
            Consumer<C> connected,
            ConnectThread thread,
            ReconnectPauses pauses,
            ConnectTimeout timeout,
            Duration drain) {
        this.connect = connect;
        this.connected = connected;
        this.thread = thread;
        this.pauses = pauses;
        this.timeout = timeout;
        this.drainMillis = drain.toMillis();
    }

    public void open() {
        synchronized (this) {
            if (attempting || closed) {
                return;
            }
            attempting = true;
        }
        attemptIn(0);
    }

    /** The connection; failed while there is none. Callers from before the first outcome are served in their order. */
    public CompletableFuture<C> current() {
        return firstAreThrough ? current : queued();
    }

    /** The connection if there is one right now. */
    @Nullable
    public C now() {
        CompletableFuture<C> seen = current;
        return seen.isDone() && !seen.isCompletedExceptionally() ? seen.join() : null;
    }

    /** For how long that connection has been in use without a break of any part of it; one that was replaced counts as new. */
    public synchronized Duration age(C connection) {
        return now() == connection ? Duration.ofNanos(System.nanoTime() - usedSince) : Duration.ZERO;
    }

    /** Since when the present connection is in use, and the one before is not any more, by {@link System#nanoTime}. */
    public synchronized long usedSince() {
        return usedSince;
    }

    /** How long ago the connection before the present one was lost, or began to be suspected. */
    public synchronized Duration sinceLoss() {
        return Duration.ofNanos(System.nanoTime() - lostAt);
    }

    /**
     * Gives up a connection that can't be trusted any more. Does nothing if it is not the present one.
     *
     * @param reason the failure of requests until there is another connection
     */
    public void giveUp(C suspect, RedisException reason) {
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
     * Opens another connection beside one that may be dead, unless the old one is {@link #trust trusted} again before. Does nothing if it
     * is not the present one. While an attempt is under way there is no further one: a slow server would only get slower.
     *
     * @param reason the failure of requests that still wait for a reply when the old connection is closed
     */
    public boolean suspect(C connection, RedisException reason) {
        return another(connection, reason, false);
    }

    /**
     * Opens another connection beside one of which a part is known to be dead, such as that to one member of a Cluster: the other parts
     * stay in use until then. The next connection may be no better, so there is a pause if this one was made just now.
     */
    public void replace(C connection, RedisException reason) {
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

    /** Why a request failed that ended with a connection: if that was given up, the reason for it. */
    public Throwable explain(C connection, Throwable end) {
        GivenUp<C> last = lastGivenUp;
        return last != null && last.connection == connection ? last.reason : end;
    }

    public void close() {
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
        long limit = timeout.nanos();
        C connection;
        try {
            connection = connect();
        } catch (RuntimeException | Error failure) {
            long took = System.nanoTime() - begun;
            // Not by the time alone: the timeout is shared, and may have been another when the attempt began.
            boolean timedOut = took >= limit || Failures.isTimeout(failure);
            if (timedOut) {
                // Each of several servers that were asked one after the other had this limit.
                timeout.timedOutAfter(Math.min(took, limit));
            }
            long pause = pauses.after(timedOut ? ConnectFailure.UNANSWERED : Failures.refusal(failure));
            attemptIn(pause);
            log.debug("No connection to Redis; next attempt in {} ms", pause, failure);
            fail(failure);
            return;
        }
        timeout.connectedAfter(timeout.slowestSince(begun));
        pauses.connected();
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
                if (connection instanceof StatefulRedisClusterConnection) {
                    // From one of its members only. For most members the next request that fails reports it.
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
     * Connects. A server that refuses the credentials hangs up, and the client then sometimes reports that instead of the refusal, which
     * the operator needs: another attempt may report it.
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

    /** Keeps a replaced connection for a while, since late replies may come. */
    private void retire(C connection) {
        C older;
        synchronized (this) {
            older = retired;
            retired = connection;
        }
        if (older != null) {
            discard(older);
        }
        if (drainMillis == 0) {
            closeRetired(connection);
        } else {
            thread.attemptIn(drainMillis, () -> closeRetired(connection));
        }
    }

    private void closeRetired(C connection) {
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

    /** Waits in steps: a late reply on an old connection may make this process a leader, which does not wait for longer than a step. */
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
