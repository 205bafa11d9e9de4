package dev.election.record;

import dev.election.StoreProblem;
import dev.election.store.NoAnswer;
import dev.election.support.DaemonThreads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the requests of a store on few threads, each with a connection that is kept for the next one. The request of one waits for a free
 * thread no longer than an answer may take, and is not sent after that.
 *
 * @param <C> the connection
 */
public final class KeptConnections<C extends KeptConnections.Connection> implements AutoCloseable {

    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Duration SHORTEST_LIMIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_LIMIT = Duration.ofSeconds(10);

    private final Kind<C> kind;
    private final int most;
    private final Duration limit;
    private final ThreadPoolExecutor threads;

    /** Idle connections, the one that was used last first. Guarded by this, as are the others. */
    private final Deque<C> idle = new ArrayDeque<>();

    private final Set<C> busy = new HashSet<>();
    private boolean isClosed;

    /** Whether one was given up that no other one has taken the place of. */
    private boolean isShort;

    /**
     * Opens nothing yet.
     *
     * @param name the name of the threads
     * @param most how many connections there are at most
     * @param limit how long a request waits for one
     */
    public KeptConnections(String name, int most, Duration limit, Kind<C> kind) {
        this.kind = kind;
        this.most = most;
        this.limit = limit;
        this.threads = new DaemonThreads(name).pool(most, IDLE);
    }

    /** Returns how long a store waits for an answer: a third of the shortest lease, within bounds. */
    public static Duration limit(Duration shortestLease) {
        Duration third = shortestLease.dividedBy(3);
        Duration bounded = third.compareTo(LONGEST_LIMIT) > 0 ? LONGEST_LIMIT : third;
        return bounded.compareTo(SHORTEST_LIMIT) < 0 ? SHORTEST_LIMIT : bounded;
    }

    /** A connection, used by one thread at a time. */
    public interface Connection {

        /** Whether another request can be sent on it. */
        boolean isUsable();

        /** Whether the server has ended it in order, after an answer: then another one takes its place at once. */
        boolean isOver();

        /** Closes it, also while a request is under way. */
        void close();
    }

    /** A kind of connection: how one is opened, and what its failures mean. */
    public interface Kind<C> {

        /** Opens a connection. */
        C open() throws Exception;

        /** Returns the answer to a request that has failed. */
        NoAnswer answer(Exception failure);
    }

    /** A request that runs on a connection. */
    @FunctionalInterface
    public interface Question<C, T> {

        /** Sends the request, and waits for its answer. */
        T ask(C connection) throws Exception;
    }

    /** Runs a request. A failure becomes an answer, too. */
    public <T> CompletionStage<T> ask(Question<C, T> question, Function<NoAnswer, T> failed) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        long askedAt = System.nanoTime();
        try {
            threads.execute(() -> run(question, failed, askedAt, answer));
        } catch (RejectedExecutionException closed) {
            answer.complete(failed.apply(closed()));
        }
        return answer;
    }

    private <T> void run(
            Question<C, T> question, Function<NoAnswer, T> failed, long askedAt, CompletableFuture<T> answer) {
        if (System.nanoTime() - askedAt > limit.toNanos()) {
            answer.complete(failed.apply(new NoAnswer(
                    StoreProblem.TIMED_OUT,
                    "no connection was free for " + limit.toMillis() + " ms: it was not sent")));
            return;
        }
        C connection = null;
        T outcome;
        try {
            connection = take();
            outcome = question.ask(connection);
        } catch (Exception failure) {
            outcome = failed.apply(isClosed() ? closed() : kind.answer(failure));
        } catch (Throwable defect) {
            outcome = failed.apply(new NoAnswer(StoreProblem.UNKNOWN, defect.toString()));
        }
        boolean isOver = connection != null && !giveBack(connection) && connection.isOver();
        answer.complete(outcome);
        if (isOver) {
            // The next one follows it without a gap.
            openIdle();
        }
    }

    private C take() throws Exception {
        for (C kept = pollIdle(); kept != null; kept = pollIdle()) {
            if (kept.isUsable()) {
                if (takeShort()) {
                    openOther();
                }
                return kept;
            }
            boolean unused = giveBack(kept);
        }
        C opened = register(kind.open());
        boolean unused = takeShort();
        openOther();
        return opened;
    }

    /** Opens the next one too: a store knows only of connections that overlap that they lead to the same server. */
    private void openOther() {
        try {
            threads.execute(this::openIdle);
        } catch (RejectedExecutionException closed) {
            // Nobody will use it.
        }
    }

    private C register(C opened) {
        synchronized (this) {
            if (!isClosed) {
                busy.add(opened);
                return opened;
            }
        }
        opened.close();
        throw new IllegalStateException(closed().detail());
    }

    private synchronized @Nullable C pollIdle() {
        C kept = idle.poll();
        if (kept != null) {
            busy.add(kept);
        }
        return kept;
    }

    /** Keeps a connection for the next request, or closes it. Returns whether it is kept. */
    private boolean giveBack(C connection) {
        boolean isUsable = connection.isUsable();
        synchronized (this) {
            busy.remove(connection);
            if (isUsable && !isClosed) {
                idle.push(connection);
                return true;
            }
            isShort = true;
        }
        connection.close();
        return false;
    }

    private synchronized boolean takeShort() {
        boolean was = isShort;
        isShort = false;
        return was;
    }

    private synchronized boolean hasAll() {
        return idle.size() + busy.size() >= most;
    }

    /** Opens a connection for the next request, unless there are enough. */
    private void openIdle() {
        try {
            if (!hasAll()) {
                boolean unused = giveBack(register(kind.open()));
            }
        } catch (Exception failure) {
            // The next request tries it again.
        }
    }

    private synchronized boolean isClosed() {
        return isClosed;
    }

    private static NoAnswer closed() {
        return new NoAnswer(StoreProblem.UNREACHABLE, "this store is closed");
    }

    /** Closes the connections. Requests that still wait get the answer that the store is closed. */
    @Override
    public void close() {
        Set<C> all;
        synchronized (this) {
            isClosed = true;
            all = new HashSet<>(busy);
            all.addAll(idle);
            idle.clear();
        }
        threads.shutdown();
        all.forEach(Connection::close);
    }
}
