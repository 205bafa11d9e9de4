package dev.election.redis.internal;

import dev.election.support.DaemonThreads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The threads on which providers of credentials are asked: one for each time, which is seldom. Those of the application may all be waiting
 * for Redis.
 */
final class CredentialThreads implements AutoCloseable {

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

    /** Interrupts those on which a provider hangs: nobody waits for its answer any more. */
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
            // Perhaps after the others.
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
