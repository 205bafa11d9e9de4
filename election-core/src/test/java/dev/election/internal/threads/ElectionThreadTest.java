package dev.election.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.election.engine.Clock;
import dev.election.engine.Loop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ElectionThreadTest {

    private final Clock clock = Clock.system();

    @AutoClose("shutdown")
    private final ElectionThread loop = new ElectionThread(clock);

    @Test
    void borrows_the_thread_of_a_caller_that_lends_it() {
        List<Thread> ran = new ArrayList<>();

        loop.executeHere(() -> ran.add(Thread.currentThread()));

        assertThat(ran).containsExactly(Thread.currentThread());
    }

    @Test
    void runs_what_a_task_hands_over_after_the_task() {
        List<String> order = new ArrayList<>();

        loop.executeHere(() -> {
            loop.executeHere(() -> order.add("second"));
            order.add("first");
        });

        assertThat(order).containsExactly("first", "second");
    }

    @Test
    void nothing_overtakes_what_was_handed_over_before() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);

        loop.alarm(clock.nanos(), () -> awaitQuietly(held));
        loop.execute(() -> order.add("start"));
        loop.executeHere(() -> order.add("stop"));
        loop.execute(done::countDown);
        held.countDown();

        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(order).containsExactly("start", "stop");
    }

    @Test
    void never_runs_two_tasks_at_a_time_and_loses_none() throws Exception {
        int callers = 4;
        int tasks = 5_000;
        AtomicBoolean busy = new AtomicBoolean();
        AtomicInteger overlaps = new AtomicInteger();
        CountDownLatch left = new CountDownLatch(3 * callers * tasks);
        Runnable task = () -> {
            if (!busy.compareAndSet(false, true)) {
                overlaps.incrementAndGet();
            }
            Thread.onSpinWait();
            busy.set(false);
            left.countDown();
        };

        for (int caller = 0; caller < callers; caller++) {
            new Thread(() -> {
                        for (int i = 0; i < tasks; i++) {
                            loop.execute(task);
                            loop.executeHere(task);
                            loop.alarm(clock.nanos(), task);
                        }
                    })
                    .start();
        }

        assertThat(left.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(overlaps).hasValue(0);
    }

    @Test
    void an_alarm_that_is_cancelled_while_it_waits_for_its_turn_does_not_ring() throws Exception {
        AtomicBoolean rang = new AtomicBoolean();
        CountDownLatch fell = new CountDownLatch(1);

        loop.executeHere(() -> {
            Loop.Alarm alarm = loop.alarm(clock.nanos(), () -> rang.set(true));
            awaitHandedOver(1);
            alarm.cancel();
        });
        loop.execute(fell::countDown);

        assertThat(fell.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(rang).isFalse();
    }

    @Test
    void a_defect_in_a_task_stops_no_other() {
        List<String> ran = new ArrayList<>();

        loop.executeHere(() -> {
            throw new IllegalStateException("A defect, as the test wants it");
        });
        loop.executeHere(() -> ran.add("next"));

        assertThat(ran).containsExactly("next");
    }

    @Test
    void a_task_that_throws_what_it_must_not_stops_no_other() {
        List<String> ran = new ArrayList<>();

        loop.executeHere(() -> ElectionThreadTest.<RuntimeException>sneak(new IOException("As the test wants it")));
        loop.executeHere(() -> ran.add("next"));

        assertThat(ran).containsExactly("next");
    }

    @Test
    void a_defect_that_the_log_fails_of_as_well_stops_no_other() {
        IllegalStateException defect = new IllegalStateException("A defect, as the test wants it");
        AppenderBase<ILoggingEvent> failing = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                throw defect;
            }
        };
        failing.start();
        Logger logger = (Logger) LoggerFactory.getLogger(ElectionThread.class);
        logger.addAppender(failing);
        List<String> ran = new ArrayList<>();
        try {
            loop.executeHere(() -> {
                throw defect;
            });
        } finally {
            logger.detachAppender(failing);
        }
        loop.executeHere(() -> ran.add("next"));

        assertThat(ran).containsExactly("next");
    }

    @Test
    void an_alarm_that_was_not_heard_rings_again() throws Exception {
        AtomicInteger rang = new AtomicInteger();
        CountDownLatch heard = new CountDownLatch(1);

        loop.alarm(clock.nanos(), () -> {
            if (rang.incrementAndGet() == 1) {
                throw new IllegalStateException("A defect, as the test wants it");
            }
            heard.countDown();
        });

        assertThat(heard.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void an_errand_is_run_by_a_thread_that_nobody_lends() throws Exception {
        CompletableFuture<Thread> runner = new CompletableFuture<>();

        loop.executeHere(() -> loop.aside(() -> runner.complete(Thread.currentThread())));

        assertThat(runner.get(10, TimeUnit.SECONDS).getName()).isEqualTo("election");
    }

    @Test
    void errands_are_run_in_order_and_the_last_ones_before_it_shuts_down() {
        List<Integer> ran = new CopyOnWriteArrayList<>();

        loop.aside(() -> {
            throw new IllegalStateException("A defect, as the test wants it");
        });
        for (int i = 0; i < 1_000; i++) {
            int number = i;
            loop.aside(() -> ran.add(number));
        }
        loop.shutdown();

        assertThat(ran).hasSize(1_000).isSorted();
    }

    @Test
    void takes_nothing_on_once_it_is_shut_down() {
        loop.shutdown();

        assertThatThrownBy(() -> loop.executeHere(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        loop.alarm(clock.nanos(), () -> {}).cancel();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private void awaitHandedOver(int tasks) {
        while (loop.waiting() < tasks) {
            Thread.onSpinWait();
        }
    }
}
