package dev.election.jdbc.internal;

import dev.election.StoreProblem;
import dev.election.jdbc.JdbcDatabase;
import dev.election.jdbc.JdbcSettings;
import dev.election.record.Continuity;
import dev.election.record.Continuity.Line;
import dev.election.store.NoAnswer;
import dev.election.support.DaemonThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Carries out requests on two threads, each with a connection that is kept for the next one. */
final class Requests implements AutoCloseable {

    private static final int CONNECTIONS = 2;

    private static final Duration TRUSTED = Duration.ofSeconds(10);

    /** Time for which the findings of a new connection on the table and the permissions count, so that a missing table costs few connections. */
    private static final Duration LOOKED = Duration.ofSeconds(3);

    private final ServersOfUrl servers;
    private final JdbcSettings settings;
    private final Duration limit;
    private final boolean notifies;
    private final ThreadPoolExecutor threads;

    /** Idle connections, the one that was used last first. Guarded by this, as are the others. */
    private final Deque<Session> idle = new ArrayDeque<>();

    private final Set<Session> busy = new HashSet<>();
    private boolean isClosed;

    private volatile Runnable whenLost = () -> {};

    /** How often a connection was lost, or could not be opened. */
    private final AtomicInteger lost = new AtomicInteger();

    private volatile boolean isAnswered;

    /**
     * Asks nothing yet.
     *
     * @param limit how long connecting may take, an answer, and the wait for a connection
     * @param notifies whether changes notify those who listen, where the database can
     */
    Requests(JdbcDatabase database, JdbcSettings settings, Duration limit, boolean notifies) {
        this.servers = new ServersOfUrl(database, settings.table());
        this.settings = settings;
        this.limit = limit;
        this.notifies = notifies;
        this.threads = new DaemonThreads("election-jdbc").pool(CONNECTIONS, TRUSTED);
    }

    /** A request that runs on a connection. */
    @FunctionalInterface
    interface Question<T> {

        T ask(Session session) throws SQLException;
    }

    /** Runs a request. A failure becomes an answer, too. */
    <T> CompletionStage<T> ask(Question<T> question, Function<NoAnswer, T> failed) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        long askedAt = System.nanoTime();
        try {
            threads.execute(() -> answer.complete(answer(question, failed, askedAt)));
        } catch (RejectedExecutionException closed) {
            answer.complete(failed.apply(closed()));
        }
        return answer;
    }

    /** Runs a task after a while, on a thread that may wait for answers. Not at all once this is closed. */
    void later(Duration pause, Runnable task) {
        Executor then = CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, start -> {
            try {
                threads.execute(start);
            } catch (RejectedExecutionException closed) {
                // Nobody waits for it.
            }
        });
        then.execute(task);
    }

    /** The database, with the server first that is known to have replaced the others. */
    JdbcDatabase database() {
        return servers.inOrder();
    }

    /** Number of connections that were lost. If it has changed, the database may have been replaced meanwhile. */
    int connectionsLost() {
        return lost.get();
    }

    private <T> T answer(Question<T> question, Function<NoAnswer, T> failed, long askedAt) {
        if (System.nanoTime() - askedAt > limit.toNanos()) {
            return failed.apply(new NoAnswer(
                    StoreProblem.TIMED_OUT, "no connection was free for " + limit.toMillis() + " ms: it was not sent"));
        }
        try {
            T answer = on(take(), question);
            isAnswered = true;
            return answer;
        } catch (SQLException failure) {
            isAnswered = SqlProblem.isConflict(failure);
            return failed.apply(SqlProblem.of(failure, settings));
        } catch (RuntimeException | LinkageError defect) {
            return failed.apply(new NoAnswer(StoreProblem.UNKNOWN, defect.toString()));
        }
    }

    /** Whether the latest request was answered. */
    boolean isAnswered() {
        return isAnswered;
    }

    private <T> T on(Session session, Question<T> question) throws SQLException {
        boolean isReusable = false;
        try {
            T answer = question.ask(session);
            isReusable = true;
            return answer;
        } catch (SQLException failure) {
            isReusable = !SqlProblem.isConnectionLost(failure)
                    && !(SqlProblem.isOfSchema(failure) && session.isOlderThan(LOOKED));
            throw failure;
        } finally {
            giveBack(session, isReusable);
        }
    }

    private Session take() throws SQLException {
        Session kept = pollIdle();
        if (kept != null) {
            if (kept.isUsable(TRUSTED)) {
                return kept;
            }
            giveBack(kept, false);
        }
        try {
            return open();
        } catch (SQLException | RuntimeException unusable) {
            lost.incrementAndGet();
            throw unusable;
        }
    }

    private Session open() throws SQLException {
        Connection connection = servers.inOrder().open(limit);
        try {
            Session.setUp(connection, limit);
            Dialect dialect = Dialect.of(connection.getMetaData());
            TableScript.run(connection, dialect, settings.table(), settings.creation(), limit);
            return register(new Session(connection, dialect, settings.table(), limit, notifies));
        } catch (SQLException | RuntimeException unusable) {
            connection.close();
            throw unusable;
        }
    }

    private synchronized @Nullable Session pollIdle() {
        Session kept = idle.poll();
        if (kept != null) {
            busy.add(kept);
        }
        return kept;
    }

    private synchronized Session register(Session opened) throws SQLException {
        if (isClosed) {
            throw new SQLException(closed().detail(), "08003");
        }
        busy.add(opened);
        return opened;
    }

    private void giveBack(Session session, boolean isReusable) {
        session.markUsed();
        List<Session> others;
        synchronized (this) {
            busy.remove(session);
            if (isReusable && !isClosed) {
                idle.push(session);
                return;
            }
            // The server of the others may have been replaced, too. Since the latest one is taken first, they would
            // stay open there.
            others = List.copyOf(idle);
            idle.clear();
        }
        lose();
        session.close();
        others.forEach(Session::close);
    }

    /** Closes the connections whose server is older than one that was seen. */
    void replaced(Continuity shown) {
        List<Session> old;
        synchronized (this) {
            old = Stream.concat(idle.stream(), busy.stream())
                    .filter(session -> session.hasShown(shown))
                    .toList();
            idle.removeAll(old);
        }
        // A request under way on one of them gets no answer, which is all that it could get there.
        for (Session session : old) {
            session.suspect();
            session.abort();
            session.close();
        }
        servers.prefer(shown);
        lose();
    }

    /** Looks where the servers of the URL stand, if it names several. */
    CompletableFuture<List<Line>> look() {
        return servers.look();
    }

    /** Sets a task that runs whenever a connection is lost or given up. */
    void whenLost(Runnable task) {
        whenLost = task;
    }

    private void lose() {
        lost.incrementAndGet();
        whenLost.run();
    }

    private static NoAnswer closed() {
        return new NoAnswer(StoreProblem.UNREACHABLE, "this store is closed");
    }

    /** Closes the connections. Requests that still wait get the answer that the store is closed. */
    @Override
    public void close() {
        Set<Session> all;
        synchronized (this) {
            isClosed = true;
            all = new HashSet<>(busy);
            idle.forEach(Session::close);
            idle.clear();
        }
        threads.shutdown();
        all.forEach(Session::abort);
    }
}
