package dev.election.internal.election;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ResultMonitorTest {

    private final ResultMonitor results = new ResultMonitor();
    private final AtomicBoolean leads = new AtomicBoolean();

    @Test
    void the_first_result_wakes_whoever_waits_for_it() throws Exception {
        Waiter waiter = waiting(results::hadResult);
        results.post(true, false);
        assertThat(waiter.outcome.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void leadership_wakes_whoever_waits_for_it_after_any_number_of_results() throws Exception {
        results.post(true, false);
        Waiter waiter = waiting(leads::get);
        leads.set(true);
        results.post(true, true);
        assertThat(waiter.outcome.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void what_nobody_waits_for_wakes_nobody() throws Exception {
        results.post(true, false);
        Waiter waiter = waiting(leads::get);
        // Whoever is woken now has to wait for this monitor first.
        synchronized (results) {
            results.post(false, false);
            results.post(true, false);
            assertThat(waiter.getState()).isEqualTo(Thread.State.TIMED_WAITING);
            leads.set(true);
            results.post(true, true);
            assertThat(waiter.getState()).isEqualTo(Thread.State.BLOCKED);
        }
        assertThat(waiter.outcome.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void who_waits_for_ever_is_woken_as_well() throws Exception {
        Waiter waiter = waiting(results::hadResult, ChronoUnit.FOREVER.getDuration());
        results.post(true, false);
        assertThat(waiter.outcome.get(10, TimeUnit.SECONDS)).isTrue();
    }

    private Waiter waiting(BooleanSupplier condition) {
        return waiting(condition, Duration.ofSeconds(20));
    }

    private Waiter waiting(BooleanSupplier condition, Duration timeout) {
        Waiter waiter = new Waiter(condition, timeout);
        waiter.start();
        Awaitility.await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING || waiter.outcome.isDone());
        return waiter;
    }

    private final class Waiter extends Thread {

        private final BooleanSupplier condition;
        private final Duration timeout;
        private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();

        private Waiter(BooleanSupplier condition, Duration timeout) {
            this.condition = condition;
            this.timeout = timeout;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                outcome.complete(results.await(condition, timeout));
            } catch (InterruptedException | RuntimeException e) {
                outcome.completeExceptionally(e);
            }
        }
    }
}
