package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.LeaderOnly;
import dev.election.spring.calls.CallObserver;
import dev.election.spring.calls.JobGate;
import dev.election.spring.internal.delay.DelayedTasks;
import dev.election.spring.internal.interruption.CallPlace;
import dev.election.spring.internal.interruption.Stopping;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;

/** What ends a call that has run for too long, and when its work has ended. The test says when it has run for too long. */
@Timeout(30)
class LimitedCallTest {

    private final GuardContext context = new GuardContext().with(Everything.class, Limits.class, Worker.class);
    private final HandDrivenElection election = context.elections.get("default");

    @Test
    void a_call_on_the_thread_of_its_caller_is_interrupted() {
        election.lead();
        context.run(started -> {
            CompletableFuture<String> call = CompletableFuture.supplyAsync(started.getBean(Worker.class)::blocking);
            started.getBean(Worker.class).awaitBegin();
            assertThat(started.getBean(Limit.class).reached()).contains("and is interrupted");
            assertThat(call.get()).isEqualTo("interrupted, then clear");
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void a_call_that_was_moved_to_another_thread_is_interrupted_there() {
        election.lead();
        context.run(started -> {
            CompletableFuture<String> call = started.getBean(Worker.class).asynchronous();
            started.getBean(Worker.class).awaitBegin();
            assertThat(started.getBean(Limit.class).reached()).contains("and is interrupted");
            assertThat(call.get()).isEqualTo("interrupted, then clear");
            Awaitility.await("its end").until(() -> election.runningWork() == 0);
        });
    }

    @Test
    void a_stage_that_others_complete_can_t_be_interrupted_and_its_work_lasts_until_it_is_complete() {
        election.lead();
        context.run(started -> {
            CompletableFuture<String> call = started.getBean(Worker.class).staged();
            assertThat(started.getBean(Limit.class).reached()).contains("can't be interrupted");
            assertThat(call).isNotDone();
            assertThat(election.runningWork()).isOne();
            call.complete("done");
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void a_cancelled_call_on_another_thread_has_ended_only_when_it_has_left_that_thread() {
        election.lead();
        context.run(started -> {
            Worker worker = started.getBean(Worker.class);
            CompletableFuture<String> call = worker.uninterruptible();
            worker.awaitBegin();
            assertThat(call.cancel(true)).isTrue();
            assertThat(election.runningWork()).isOne();
            worker.open();
            Awaitility.await("its end").until(() -> election.runningWork() == 0);
        });
    }

    @Test
    void a_call_that_is_cancelled_before_it_begins_on_another_thread_does_not_begin() {
        CallPlace place = new CallPlace();
        AtomicInteger ends = new AtomicInteger();
        place.endWith(ends::incrementAndGet);
        assertThat(ends).hasValue(1);
        assertThatThrownBy(place::enter).isInstanceOf(CancellationException.class);
    }

    @Test
    void a_call_whose_time_is_over_before_it_begins_on_another_thread_is_interrupted_there() {
        CallPlace place = new CallPlace();
        assertThat(place.stop()).isEqualTo(Stopping.IMPOSSIBLE);
        try (CallPlace.Stay stay = place.enter()) {
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    static class Worker {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        public void awaitBegin() throws InterruptedException {
            begun.await();
        }

        public void open() {
            opened.countDown();
        }

        @LeaderOnly(atMostFor = "5m")
        public String blocking() {
            return interrupted();
        }

        @Async
        @LeaderOnly(atMostFor = "5m")
        public CompletableFuture<String> asynchronous() {
            return CompletableFuture.completedFuture(interrupted());
        }

        @LeaderOnly(atMostFor = "5m")
        public CompletableFuture<String> staged() {
            return new CompletableFuture<>();
        }

        @Async
        @LeaderOnly
        public CompletableFuture<String> uninterruptible() {
            begun.countDown();
            boolean isOpen = false;
            while (!isOpen) {
                try {
                    isOpen = opened.await(1, TimeUnit.MINUTES);
                } catch (InterruptedException ignored) {
                    // It goes on, as work may do.
                }
            }
            return CompletableFuture.completedFuture("done");
        }

        private String interrupted() {
            begun.countDown();
            try {
                return opened.await(1, TimeUnit.MINUTES) ? "opened" : "late";
            } catch (InterruptedException e) {
                return "interrupted, then " + (Thread.currentThread().isInterrupted() ? "again" : "clear");
            }
        }
    }

    /** The limit of the call that began last. */
    static class Limit implements DelayedTasks {

        private volatile Runnable last = () -> {};

        @Override
        public Planned after(Duration delay, Runnable task) {
            last = task;
            return NOTHING_PLANNED;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        /** The call has run for too long. Returns the warning. */
        String reached() {
            try (LoggedLines log = new LoggedLines("dev.election")) {
                last.run();
                return String.join("\n", log.with("(atMostFor)"));
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Limits {
        @Bean
        static Limit limit() {
            return new Limit();
        }

        @Bean
        static LeaderGuardPostProcessor electionLeaderGuardPostProcessor(
                ObjectProvider<GuardReader> reader, Limit limit) {
            return new LeaderGuardPostProcessor(
                    reader::getObject, type -> false, () -> CallObserver.NONE, () -> JobGate.NONE, limit);
        }
    }
}
