package dev.election.internal.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A gate that many threads use at a time counts as one word does. */
class WorkGateTest {

    private static final Duration STRESS = Duration.ofMillis(200);
    private static final int THREADS = 3;

    @AutoClose("shutdownNow")
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    private final WorkGate gate = new WorkGate(new WorkCells());

    @Test
    void work_of_any_thread_is_waited_for_wherever_it_ends() throws Exception {
        gate.open();
        assertThat(onEach(gate::enter)).containsOnly(true);
        assertThat(gate.running()).isEqualTo(THREADS);
        assertThat(gate.exit()).as("while it is open").isFalse();
        gate.close();
        assertThat(onEach(gate::enter)).containsOnly(false);
        assertThat(gate.running()).isEqualTo(THREADS - 1);
        assertThat(gate.exit()).isFalse();
        assertThat(gate.isClosedAndIdle()).isFalse();
        assertThat(gate.exit()).as("the last one").isTrue();
        assertThat(gate.isClosedAndIdle()).isTrue();
    }

    @Test
    void work_that_runs_while_the_gate_closes_and_opens_again_stays_counted() throws Exception {
        gate.open();
        assertThat(onEach(gate::enter)).containsOnly(true);
        gate.close();
        gate.open();
        assertThat(onEach(gate::exit)).containsOnly(false);
        assertThat(gate.running()).isZero();
        gate.close();
        assertThat(gate.isClosedAndIdle()).isTrue();
    }

    @Test
    void a_part_joins_from_any_thread_until_the_last_work_ends() throws Exception {
        gate.open();
        assertThat(gate.enter()).isTrue();
        gate.close();
        assertThat(onEach(gate::join)).containsOnly(true);
        assertThat(gate.exit()).isFalse();
        assertThat(onEach(gate::exit)).containsOnlyOnce(true);
        assertThat(onEach(gate::join)).containsOnly(false);
    }

    @Test
    void threads_that_meet_count_apart_once_the_gate_is_opened_again() throws Exception {
        WorkGate fresh = new WorkGate();
        fresh.open();
        AtomicBoolean apart = new AtomicBoolean();
        Callable<Integer> beginning = () -> {
            int begun = 0;
            while (!apart.get()) {
                begun += fresh.enter() ? 1 : 0;
            }
            return begun;
        };
        List<Future<Integer>> workers = List.of(threads.submit(beginning), threads.submit(beginning));
        await().pollInterval(Duration.ofMillis(1)).untilAsserted(() -> {
            fresh.open();
            assertThat(fresh).extracting("cells").isNotNull();
        });
        apart.set(true);
        int begun = workers.get(0).get() + workers.get(1).get();
        assertThat(fresh.running()).isEqualTo(begun);
        fresh.close();
        assertThat(fresh.running()).isEqualTo(begun);
    }

    @Test
    void a_gate_that_closes_misses_no_work_and_the_last_one_is_told_once() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        long begun = System.nanoTime();
        for (int round = 0; System.nanoTime() - begun < STRESS.toNanos(); round++) {
            gate.open();
            CyclicBarrier start = new CyclicBarrier(THREADS);
            AtomicInteger told = new AtomicInteger();
            List<Future<?>> workers = new ArrayList<>();
            for (int worker = 1; worker < THREADS; worker++) {
                workers.add(threads.submit(() -> {
                    start.await();
                    while (gate.enter()) {
                        inside.incrementAndGet();
                        Thread.onSpinWait();
                        inside.decrementAndGet();
                        told.addAndGet(gate.exit() ? 1 : 0);
                    }
                    return null;
                }));
            }
            start.await();
            while (inside.get() == 0 && told.get() == 0) {
                Thread.yield();
            }
            gate.close();
            boolean idle = gate.isClosedAndIdle();
            assertThat(idle && inside.get() > 0)
                    .as("idle beside work in round %d", round)
                    .isFalse();
            for (Future<?> worker : workers) {
                worker.get(10, TimeUnit.SECONDS);
            }
            assertThat(gate.isClosedAndIdle()).as("after round %d", round).isTrue();
            assertThat(told.get()).as("told in round %d", round).isBetween(idle ? 0 : 1, 1);
        }
    }

    private List<Boolean> onEach(Callable<Boolean> task) throws Exception {
        CyclicBarrier together = new CyclicBarrier(THREADS);
        Callable<Boolean> once = () -> {
            together.await();
            return task.call();
        };
        List<Boolean> results = new ArrayList<>();
        for (Future<Boolean> result : threads.invokeAll(Collections.nCopies(THREADS, once))) {
            results.add(result.get());
        }
        return results;
    }
}
