package dev.election.redis.internal.connection;

import dev.election.redis.internal.failure.StoreClosedException;
import dev.election.support.DaemonThreads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Threads on which providers of credentials are asked: a new one each time, which is seldom. The threads of the application may all be
 * waiting for Redis.
 */
public final class CredentialThreads implements AutoCloseable {

    private final Set<Thread> asking = ConcurrentHashMap.newKeySet();
    private final Scheduler scheduler = Schedulers.fromExecutor(this::start);

    private volatile boolean closed;

    Scheduler scheduler() {
        return scheduler;
    }

    void requireOpen() {
        if (closed) {
            throw new StoreClosedException();
        }
    }

    /** Interrupts the threads on which a provider hangs: its answer is not needed any more. */
    @Override
    public void close() {
        closed = true;
        asking.forEach(Thread::interrupt);
    }

    private void start(Runnable question) {
        Thread thread = new DaemonThreads("election-credentials").newThread(() -> ask(question));
        asking.add(thread);
        thread.start();
        if (closed) {
            // close() may not have seen this thread.
            thread.interrupt();
        }
    }

    private void ask(Runnable question) {
        try {
            question.run();
        } finally {
            asking.remove(Thread.currentThread());
        }
    }
}
