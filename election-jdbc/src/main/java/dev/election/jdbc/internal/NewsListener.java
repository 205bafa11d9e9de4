package dev.election.jdbc.internal;

import dev.election.support.DaemonThreads;
import dev.election.support.LogLimit;
import dev.election.support.ReadableDuration;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for news from the database: on one connection and one thread for all elections, which begin with the first watcher. News arrive
 * as soon as they are committed; the poll of {@link KeyWatch} finds those that are missed here.
 */
final class NewsListener implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(NewsListener.class);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final Source source;
    private final Receiver receiver;
    private final Duration pollInterval;
    private final boolean isWanted;
    private final Duration firstPause;
    private final ThreadFactory threads;

    /** Guarded by this, as are the others. */
    private @Nullable Thread thread;

    private @Nullable Listening current;

    /** How often a connection was given up for another one. */
    private int reopened;

    private boolean isClosed;

    /** Whether the present connection was still there when it was used last. Not guarded. */
    private volatile boolean isListening;

    /**
     * Creates the listener, which connects to nothing yet.
     *
     * @param pollInterval for the log
     * @param isWanted whether the application has asked to listen, so that it is warned if that will never succeed
     */
    NewsListener(Source source, Receiver receiver, Duration pollInterval, boolean isWanted) {
        this(source, receiver, pollInterval, isWanted, FIRST_PAUSE, new DaemonThreads("election-jdbc-listener"));
    }

    /** Creates the listener with another pause before the first retry, and another thread. */
    NewsListener(
            Source source,
            Receiver receiver,
            Duration pollInterval,
            boolean isWanted,
            Duration firstPause,
            ThreadFactory threads) {
        this.source = source;
        this.receiver = receiver;
        this.pollInterval = pollInterval;
        this.isWanted = isWanted;
        this.firstPause = firstPause;
        this.threads = threads;
    }

    /** Connects to the database. */
    @FunctionalInterface
    interface Source {

        /** Fails with {@link SQLFeatureNotSupportedException} if it will never succeed. */
        Listening open() throws SQLException;

        /** Whether the database does not answer other requests either, which the elections log already. */
        default boolean isAway() {
            return false;
        }
    }

    /** A connection that listens. */
    interface Listening extends AutoCloseable {

        /** Waits for news, and passes them on. Also returns if there are none for a while, and fails if the connection is lost. */
        void await(Receiver receiver) throws SQLException;

        /** Ends a wait on another thread, too. */
        @Override
        void close();
    }

    /** Receives the news. */
    interface Receiver {

        /** Called with news under a key. */
        void received(String key, String news);

        /** Called for a new connection, which may have missed news. */
        void mayHaveMissed();
    }

    /** Returns at once. Changes nothing if it was started before. */
    synchronized void start() {
        if (thread == null && !isClosed) {
            thread = threads.newThread(this::run);
            thread.start();
        }
    }

    /** Whether news arrive at once at present, as far as is known. */
    boolean isListening() {
        return isListening;
    }

    private void run() {
        Duration pause = firstPause;
        LogLimit failures = LogLimit.once();
        while (!isClosed()) {
            int before = reopened();
            try (Listening listening = register(source.open(), before)) {
                isListening = true;
                receiver.mayHaveMissed();
                while (!isClosed()) {
                    listening.await(receiver);
                    pause = firstPause;
                    if (failures.ends(source)) {
                        log.info("Listening to the database again");
                    }
                }
            } catch (SQLFeatureNotSupportedException never) {
                logNever(String.valueOf(never.getMessage()));
                return;
            } catch (LinkageError never) {
                logNever("the driver of PostgreSQL is missing");
                return;
            } catch (SQLException | RuntimeException failure) {
                isListening = false;
                if (before != reopened()) {
                    continue;
                }
                if (!isClosed() && !source.isAway() && failures.begins(source)) {
                    log.warn(
                            "Failed to listen to the database, so news take up to {} until a retry succeeds: {}",
                            delay(),
                            failure.getMessage());
                }
                sleep(pause);
                Duration twice = pause.multipliedBy(2);
                pause = twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
            }
        }
    }

    private void logNever(String reason) {
        String line = "Not listening to the database, so news take up to {}: {}";
        if (isWanted) {
            log.warn(line, delay(), reason);
        } else {
            log.info(line, delay(), reason);
        }
    }

    private String delay() {
        return ReadableDuration.of(pollInterval);
    }

    private synchronized boolean isClosed() {
        return isClosed;
    }

    private synchronized Listening register(Listening opened, int before) {
        current = opened;
        if (isClosed || before != reopened) {
            opened.close();
        }
        return opened;
    }

    private synchronized void sleep(Duration pause) {
        long until = System.nanoTime() + pause.toNanos();
        for (long left = pause.toMillis(); left > 0 && !isClosed; left = (until - System.nanoTime()) / 1_000_000) {
            try {
                wait(left);
            } catch (InterruptedException stopped) {
                isClosed = true;
            }
        }
    }

    /** Listens on another connection, since the server of this one may have been replaced. */
    synchronized void reopen() {
        reopened++;
        if (current != null) {
            current.close();
        }
    }

    private synchronized int reopened() {
        return reopened;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        notifyAll();
        if (current != null) {
            current.close();
        }
    }
}
