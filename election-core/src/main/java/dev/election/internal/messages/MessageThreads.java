package dev.election.internal.messages;

import dev.election.support.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Executor of the handlers of messages: one thread for each running handler. Idle threads end soon. */
final class MessageThreads {

    private static final int KEEP_ALIVE_SECONDS = 5;

    private MessageThreads() {}

    static Executor open() {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                KEEP_ALIVE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new DaemonThreads("election-message"));
    }
}
