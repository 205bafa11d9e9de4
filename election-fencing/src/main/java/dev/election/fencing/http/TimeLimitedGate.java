package dev.election.fencing.http;

import dev.election.FencingToken;
import dev.election.fencing.TokenGate;
import dev.election.support.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Asks a gate on threads of its own and for a limited time: a store that gives no reply then holds neither a request nor more threads than these. */
final class TimeLimitedGate implements AutoCloseable {

    private static final int THREADS = 32;

    private final Supplier<TokenGate> gate;
    private final Duration limit;
    private final ThreadPoolExecutor threads =
            new DaemonThreads("election-token-gate").pool(THREADS, Duration.ofSeconds(10));

    TimeLimitedGate(Supplier<TokenGate> gate, Duration limit) {
        this.gate = gate;
        this.limit = limit;
    }

    /**
     * Asks the gate.
     *
     * @throws TimeoutException if it does not reply in time
     * @throws ExecutionException if it can't
     * @throws InterruptedException if this thread is interrupted, and so told not to wait
     */
    TokenGate.Admission admit(String resource, FencingToken token)
            throws InterruptedException, ExecutionException, TimeoutException {
        FutureTask<TokenGate.Admission> question =
                new FutureTask<>(() -> gate.get().admit(resource, token));
        threads.execute(question);
        try {
            return question.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            // One that still waits for a thread is not asked any more; an answered one is neither in the queue nor
            // cancelled.
            threads.remove(question);
            question.cancel(true);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
