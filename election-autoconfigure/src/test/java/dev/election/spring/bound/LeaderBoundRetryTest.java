package dev.election.spring.bound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.spring.internal.delay.HandDrivenTasks;
import dev.election.spring.lifecycle.LifecycleContext;
import dev.election.spring.lifecycle.RecordedLifecycle;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import dev.election.testing.LoggedLines;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.Lifecycle;

/** Leader-only beans that can't be started at first. */
@ExtendWith(OutputCaptureExtension.class)
class LeaderBoundRetryTest {

    private final List<String> trace = new CopyOnWriteArrayList<>();
    private final HandDrivenElections elections = new HandDrivenElections();
    private final HandDrivenElection election = elections.get("feeds");
    private final HandDrivenTasks tasks = new HandDrivenTasks();

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election.spring.bound");

    private Duration patience = Duration.ofSeconds(1);

    @Test
    void a_start_that_fails_is_tried_again_until_it_succeeds() {
        LeaderBoundBeans beans = bind(new Flaky("poller", 0, 2));

        election.lead();
        assertThat(beans.failedStarts())
                .containsExactly(new FailedStart(
                        "poller",
                        "java.lang.IllegalStateException: poller is broken, caused by java.io.IOException: refused",
                        Instant.EPOCH,
                        1));
        assertThat(tasks.pass()).isEqualTo(Duration.ofSeconds(1));
        assertThat(beans.failedStarts()).extracting(FailedStart::failures).containsExactly(2);
        assertThat(beans.failedStarts()).extracting(FailedStart::since).containsExactly(Instant.EPOCH);
        tasks.pass();

        assertThat(trace).containsExactly("fail poller", "fail poller", "start poller");
        assertThat(beans.failedStarts()).isEmpty();
        assertThat(tasks.isIdle()).isTrue();
        assertThat(log.with("Failed to start the bean 'poller' although this node leads the election 'feeds'"))
                .hasSize(1);
        assertThat(log.with(
                        "The leader-only bean 'poller' of the election 'feeds' has started after 2 failed attempts"))
                .hasSize(1);
    }

    @Test
    void the_pauses_and_what_is_logged_become_rarer(CapturedOutput output) {
        bind(new Flaky("poller", 0, Integer.MAX_VALUE));
        election.lead();

        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 31; i++) {
            pauses.add(tasks.pass().toSeconds());
        }

        assertThat(pauses.subList(0, 8)).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
        assertThat(pauses.subList(8, 31)).containsOnly(60L);
        assertThat(log.with("the bean 'poller'"))
                .as("of 32 failures the first, second, fourth, eighth, 16th and 32nd")
                .hasSize(6);
        assertThat(output.getOut().lines().filter(line -> line.contains("Caused by: java.io.IOException")))
                .hasSize(1);
    }

    @Test
    void it_is_tried_no_more_when_leadership_ends_and_anew_with_the_next_one() {
        LeaderBoundBeans beans = bind(new Flaky("poller", 0, 3));
        election.lead();
        tasks.pass();

        election.follow();
        assertThat(tasks.isIdle()).isTrue();
        assertThat(beans.failedStarts()).isEmpty();
        assertThat(election.runningWork()).isZero();
        election.lead();

        assertThat(tasks.pass()).isEqualTo(Duration.ofSeconds(1));
        assertThat(trace).containsExactly("fail poller", "fail poller", "stop poller", "fail poller", "start poller");
    }

    @Test
    void leadership_is_given_up_after_the_fifth_failure_where_that_is_asked_for() {
        bind(true, new Flaky("poller", 0, Integer.MAX_VALUE));
        election.lead();
        for (int i = 0; i < 3; i++) {
            tasks.pass();
        }
        assertThat(election.isLeader()).isTrue();
        tasks.pass();
        assertThat(election.isLeader()).isFalse();
        assertThat(tasks.isIdle()).isTrue();
    }

    @Test
    void it_is_tried_no_more_when_the_context_stops() {
        LeaderBoundBeans beans = bind(new Flaky("poller", 0, Integer.MAX_VALUE));
        election.lead();

        beans.unbind();

        assertThat(tasks.isIdle()).isTrue();
        assertThat(election.isLeader()).isTrue();
        assertThat(election.runningWork()).isZero();
    }

    @Test
    void a_repeated_start_that_does_not_return_holds_up_no_other_bean_and_is_stopped_when_it_returns()
            throws Exception {
        CountDownLatch isCalled = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        patience = Duration.ZERO;
        Flaky stuck = new Flaky("stuck", 1, 1) {
            @Override
            public void start() {
                if (trace.contains("fail stuck")) {
                    isCalled.countDown();
                    awaitQuietly(mayReturn);
                }
                super.start();
            }
        };
        bind(new Flaky("poller", 0, 0), stuck);
        election.lead();
        CompletableFuture<Void> retry = CompletableFuture.runAsync(tasks::pass);
        try {
            assertThat(isCalled.await(10, TimeUnit.SECONDS)).isTrue();
            election.follow();
            assertThat(trace).containsExactly("start poller", "fail stuck", "stop poller");
            assertThat(log.with("The leader-only bean 'stuck' of the election 'feeds' has not returned from its start"))
                    .hasSize(1);
            assertThat(election.runningWork()).isEqualTo(1);
        } finally {
            mayReturn.countDown();
        }
        retry.get(10, TimeUnit.SECONDS);
        assertThat(trace).containsExactly("start poller", "fail stuck", "stop poller", "start stuck", "stop stuck");
        assertThat(election.runningWork()).isZero();
    }

    @Test
    void a_bean_that_still_stops_when_the_leader_goes_on_is_started_when_it_has_stopped() {
        SlowToStop slow = new SlowToStop();
        patience = Duration.ZERO;
        LeaderBoundBeans beans = bind(slow, new Flaky("poller", 1, 0));
        election.lead();
        election.resign();
        trace.clear();

        election.resume();
        assertThat(trace).containsExactly("start poller");
        assertThat(beans.failedStarts())
                .containsExactly(new FailedStart(
                        "slow", "it has not stopped yet after the end of its last run", Instant.EPOCH, 0));
        slow.stops.remove(0).run();
        tasks.pass();

        assertThat(trace).containsExactly("start poller", "stop slow", "start slow");
        assertThat(beans.failedStarts()).isEmpty();
        assertThat(election.runningWork()).isEqualTo(2);
        election.resign();
        assertThat(slow.stops).hasSize(1);
    }

    @Test
    void a_leader_that_resigns_again_meanwhile_neither_starts_it_nor_stops_it_twice() {
        SlowToStop slow = new SlowToStop();
        patience = Duration.ZERO;
        bind(slow);
        election.lead();
        election.resign();
        election.resume();
        election.resign();
        assertThat(slow.stops).hasSize(1);
        assertThat(election.runningWork()).isZero();
        election.resume();

        slow.stops.remove(0).run();
        tasks.pass();
        tasks.pass();

        assertThat(trace).containsExactly("start slow", "stop slow", "start slow");
        assertThat(election.runningWork()).isEqualTo(1);
    }

    @Test
    void a_repeated_start_that_returns_in_the_next_leadership_is_stopped_before_the_start_of_that() throws Exception {
        CountDownLatch isCalled = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        patience = Duration.ZERO;
        bind(new Flaky("stuck", 0, 1) {
            private int starts;

            @Override
            public void start() {
                if (++starts == 2) {
                    isCalled.countDown();
                    awaitQuietly(mayReturn);
                }
                super.start();
            }
        });
        election.lead();
        CompletableFuture<Void> retry = CompletableFuture.runAsync(tasks::pass);
        assertThat(isCalled.await(10, TimeUnit.SECONDS)).isTrue();
        election.follow();
        election.lead();
        mayReturn.countDown();
        retry.get(10, TimeUnit.SECONDS);
        tasks.pass();

        assertThat(trace).containsExactly("fail stuck", "start stuck", "stop stuck", "start stuck");
        assertThat(election.runningWork()).isEqualTo(1);
    }

    @Test
    void a_bean_that_runs_is_not_started_again_when_the_leader_goes_on() {
        bind(new Flaky("poller", 0, 0));
        election.lead();
        election.resume();
        assertThat(trace).containsExactly("start poller");
        assertThat(election.runningWork()).isEqualTo(1);
    }

    @Test
    void a_resigning_leader_tries_no_more() {
        bind(new Flaky("poller", 0, Integer.MAX_VALUE));
        election.lead();

        election.resign();

        assertThat(tasks.isIdle()).isTrue();
        assertThat(election.runningWork()).isZero();
    }

    @Test
    void one_that_is_started_late_is_stopped_in_the_order_of_its_phase() {
        bind(new Flaky("first", 1, 1), new Flaky("second", 2, 0));
        election.lead();
        tasks.pass();

        election.follow();

        assertThat(trace).containsExactly("fail first", "start second", "start first", "stop second", "stop first");
    }

    @Test
    void what_was_started_in_part_is_stopped_before_the_next_try() {
        bind(new Flaky("poller", 0, 1) {
            @Override
            void fail() {
                running();
                super.fail();
            }
        });
        election.lead();

        tasks.pass();

        assertThat(trace).containsExactly("fail poller", "stop poller", "start poller");
    }

    @Test
    void a_library_that_is_missing_is_a_failure_like_any_other() {
        LeaderBoundBeans beans = bind(new Flaky("poller", 0, 1) {
            @Override
            void fail() {
                throw new NoClassDefFoundError("com/acme/Client");
            }
        });

        election.lead();

        assertThat(beans.failedStarts())
                .extracting(FailedStart::reason)
                .containsExactly("java.lang.NoClassDefFoundError: com/acme/Client");
        tasks.pass();
        assertThat(beans.failedStarts()).isEmpty();
    }

    @Test
    void in_an_application_time_passes_by_itself() {
        LifecycleContext.runner()
                .withBean(Elections.class, () -> elections)
                .withBean("poller", Bound.class, () -> new Bound(trace))
                .run(context -> {
                    LeaderBoundRegistry registry = context.getBean(LeaderBoundRegistry.class);
                    election.lead();
                    assertThat(registry.failedStarts("feeds"))
                            .extracting(FailedStart::bean)
                            .containsExactly("poller");
                    assertThat(registry.failedStarts("other")).isEmpty();
                    Awaitility.await().until(() -> trace.contains("start poller"));
                    Awaitility.await()
                            .until(() -> registry.failedStarts("feeds").isEmpty());
                });
        Awaitility.await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("election-leader-bound")));
    }

    private LeaderBoundBeans bind(Flaky... members) {
        return bind(false, members);
    }

    private LeaderBoundBeans bind(boolean givesUp, Flaky... members) {
        Map<String, Lifecycle> named = new LinkedHashMap<>();
        for (Flaky member : members) {
            named.put(member.toString(), member);
        }
        LeaderBoundBeans beans = new LeaderBoundBeans(election, named, patience, tasks, givesUp);
        beans.bind();
        return beans;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Fails so many times, and starts then. */
    private class Flaky extends RecordedLifecycle {

        private int failuresLeft;

        Flaky(String name, int phase, int failures) {
            super(name, phase, trace);
            this.failuresLeft = failures;
        }

        @Override
        public void start() {
            if (failuresLeft > 0) {
                failuresLeft--;
                trace.add("fail " + this);
                fail();
            }
            super.start();
        }

        void fail() {
            throw new IllegalStateException(this + " is broken", new IOException("refused"));
        }
    }

    /** Stops when the test says so. */
    private final class SlowToStop extends Flaky {

        private final List<Runnable> stops = new ArrayList<>();

        SlowToStop() {
            super("slow", 0, 0);
        }

        @Override
        public void stop(Runnable callback) {
            stops.add(() -> {
                stop();
                callback.run();
            });
        }
    }

    @LeaderOnly("feeds")
    static class Bound extends RecordedLifecycle {

        private boolean failed;

        Bound(List<String> trace) {
            super("poller", 0, trace);
        }

        @Override
        public void start() {
            if (!failed) {
                failed = true;
                throw new IllegalStateException("not yet");
            }
            super.start();
        }
    }
}
