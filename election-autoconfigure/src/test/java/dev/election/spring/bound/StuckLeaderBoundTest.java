package dev.election.spring.bound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.spring.lifecycle.LifecycleContext;
import dev.election.spring.lifecycle.RecordedLifecycle;
import dev.election.store.LeaseStore;
import dev.election.store.test.InMemoryLeaseStore;
import dev.election.testing.RealTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A leader-only bean that does not return from its start or stop, as one that connects to a dead host or that ends the process. */
@RealTime
@ExtendWith(OutputCaptureExtension.class)
class StuckLeaderBoundTest {

    private final ApplicationContextRunner runner = LifecycleContext.runner()
            .withBean(LeaseStore.class, () -> new InMemoryLeaseStore(() -> System.nanoTime() / 1_000_000 + 1))
            .withPropertyValues("election.shutdown.await=100ms");

    @Test
    void a_start_that_does_not_return_does_not_hold_up_the_stop_of_the_application(CapturedOutput output) {
        runner.withBean(StuckInStart.class).run(context -> {
            StuckInStart bean = context.getBean(StuckInStart.class);
            assertThat(bean.isCalled.await(10, TimeUnit.SECONDS)).isTrue();
            try {
                CompletableFuture.runAsync(context.getSourceApplicationContext()::close)
                        .get(60, TimeUnit.SECONDS);
                assertThat(output).contains("has not returned from its start or stop");
            } finally {
                bean.mayReturn.countDown();
            }
            // Nobody waits for it any more, but it does not go on to work.
            Awaitility.await().until(() -> bean.trace.contains("stop stuck"));
            assertThat(bean.isRunning()).isFalse();
        });
    }

    @Test
    void a_start_that_does_not_return_keeps_no_other_bean_at_work_when_leadership_is_lost() {
        runner.withBean(StuckInStart.class).withBean(Early.class).run(context -> {
            StuckInStart bean = context.getBean(StuckInStart.class);
            Early early = context.getBean(Early.class);
            assertThat(bean.isCalled.await(10, TimeUnit.SECONDS)).isTrue();
            try {
                assertThat(early.isRunning()).isTrue();
                context.getBean(Elections.class)
                        .get("default")
                        .abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofHours(1)));
                Awaitility.await().until(() -> !early.isRunning());
                assertThat(bean.isRunning()).isFalse();
            } finally {
                bean.mayReturn.countDown();
            }
            Awaitility.await().until(() -> bean.trace.contains("stop stuck"));
            assertThat(bean.isRunning()).isFalse();
            assertThat(early.trace).containsExactly("start early", "stop early");
        });
    }

    @Test
    void a_stop_that_does_not_return_does_not_hold_up_the_stop_of_the_application() {
        runner.withBean(StuckInStop.class).run(context -> {
            StuckInStop bean = context.getBean(StuckInStop.class);
            Awaitility.await().until(bean::isRunning);
            try {
                CompletableFuture.runAsync(context.getSourceApplicationContext()::close)
                        .get(60, TimeUnit.SECONDS);
            } finally {
                bean.mayReturn.countDown();
            }
        });
    }

    @LeaderOnly
    static class StuckInStart extends RecordedLifecycle {

        final CountDownLatch isCalled = new CountDownLatch(1);
        final CountDownLatch mayReturn = new CountDownLatch(1);
        final List<String> trace;

        StuckInStart() {
            this(new CopyOnWriteArrayList<>());
        }

        private StuckInStart(List<String> trace) {
            super("stuck", 0, trace);
            this.trace = trace;
        }

        @Override
        public void start() {
            isCalled.countDown();
            await(mayReturn);
            super.start();
        }
    }

    @LeaderOnly
    static class Early extends RecordedLifecycle {

        final List<String> trace;

        Early() {
            this(new CopyOnWriteArrayList<>());
        }

        private Early(List<String> trace) {
            super("early", -1, trace);
            this.trace = trace;
        }
    }

    @LeaderOnly
    static class StuckInStop extends RecordedLifecycle {

        final CountDownLatch mayReturn = new CountDownLatch(1);

        StuckInStop() {
            super("stuck", 0, new CopyOnWriteArrayList<>());
        }

        @Override
        public void stop() {
            await(mayReturn);
            super.stop();
        }
    }

    /** As what listens to no interrupt. */
    private static void await(CountDownLatch latch) {
        boolean isInterrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
