package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeaderOnly;
import dev.election.testing.HandDrivenElection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.transaction.annotation.Transactional;

/** The leader check comes before all other advice, on the thread of the caller. */
class AdviceOrderTest {

    private final GuardContext context = new GuardContext().with(Everything.class, Worker.class);
    private final HandDrivenElection election = context.elections.get("default");

    @Test
    void a_skipped_asynchronous_call_never_reaches_the_executor() {
        context.run(started -> {
            CompletableFuture<String> skipped = started.getBean(Worker.class).asynchronous();
            assertThat(skipped).isCompletedWithValue(null);
            assertThat(started.getBean(ThreadPoolTaskExecutor.class)
                            .getThreadPoolExecutor()
                            .getTaskCount())
                    .isZero();
        });
    }

    @Test
    void an_asynchronous_call_is_admitted_on_the_calling_thread_and_runs_until_its_stage_ends() {
        election.lead();
        context.withBean(Worker.class, bean -> {
            Worker.Gate gate = bean.gate();
            CompletableFuture<String> call = bean.asynchronous();
            assertThat(election.admissions()).isOne();
            assertThat(election.runningWork()).isOne();
            gate.open();
            assertThat(call.get(10, TimeUnit.SECONDS)).startsWith("worker-");
            assertThat(election.admissions()).isOne();
        });
    }

    @Test
    void a_skipped_transactional_call_begins_no_transaction() {
        context.run(started -> {
            started.getBean(Worker.class).transactional();
            assertThat(started.getBean(Everything.Transactions.class).trace).isEmpty();
        });
    }

    @Test
    void the_work_runs_until_its_transaction_has_been_committed() {
        election.lead();
        context.run(started -> {
            Everything.Transactions transactions = started.getBean(Everything.Transactions.class);
            transactions.election = election;
            started.getBean(Worker.class).transactional();
            assertThat(transactions.trace).containsExactly("begin with 1 running", "commit with 1 running");
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void a_call_with_everything_on_it_is_checked_once_and_first() {
        context.run(started -> {
            assertThat(started.getBean(Worker.class).everything()).isCompletedWithValue(null);
            assertThat(started.getBean(Everything.Transactions.class).trace).isEmpty();
            election.lead();
            assertThat(started.getBean(Worker.class).everything().get(10, TimeUnit.SECONDS))
                    .startsWith("worker-");
            assertThat(election.admissions()).isOne();
        });
    }

    @Test
    void the_advice_of_beans_without_guards_stays_as_it_is() {
        List<String> without = new ArrayList<>();
        new ApplicationContextRunner()
                .withUserConfiguration(Everything.class, Unguarded.class)
                .run(started -> without.addAll(advice(started.getBean(Unguarded.class))));
        context.with(Unguarded.class).run(started -> assertThat(advice(started.getBean(Unguarded.class)))
                .hasSizeGreaterThan(1)
                .isEqualTo(without));
    }

    @Test
    void a_bean_without_guards_and_advice_gets_no_proxy() {
        context.with(Plain.class).run(started -> assertThat(AopUtils.isAopProxy(started.getBean(Plain.class)))
                .isFalse());
    }

    @Test
    void an_event_listener_hears_only_on_the_leader() {
        context.run(started -> {
            started.publishEvent("while following");
            election.lead();
            started.publishEvent("while leading");
            assertThat(started.getBean(Worker.class).heard()).containsExactly("while leading on " + here());
        });
    }

    @Test
    void a_schedule_fires_on_every_node_and_works_on_the_leader() {
        context.withBean(Worker.class, bean -> {
            bean.awaitUnguardedRuns();
            assertThat(context.elections.get("clock").admissions()).isZero();
            context.elections.lead("clock");
            assertThat(bean.guardedRun().await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(bean.threads()).allMatch(name -> name.startsWith("clock-"));
        });
    }

    @Test
    void a_processor_that_subscribes_methods_to_a_broker_sees_the_guarded_bean() {
        context.with(Subscriber.class).run(started -> {
            Object subscribed = started.getBean(Everything.Broker.class).beans.get(Subscriber.class);
            assertThat(subscribed).isSameAs(started.getBean(Subscriber.class));
            assertThat(((Subscriber) subscribed).delivered()).isNull();
        });
    }

    private static List<String> advice(Object bean) {
        return Stream.of(((Advised) bean).getAdvisors())
                .map(advisor -> advisor.getAdvice().getClass().getName())
                .toList();
    }

    private static String here() {
        return Thread.currentThread().getName();
    }

    static class Worker {

        private final Gate gate = new Gate();
        private final List<String> heard = new CopyOnWriteArrayList<>();
        private final List<String> threads = new CopyOnWriteArrayList<>();
        private final CountDownLatch unguarded = new CountDownLatch(3);
        private final CountDownLatch guarded = new CountDownLatch(1);

        Gate gate() {
            return gate.shut();
        }

        List<String> heard() {
            return heard;
        }

        List<String> threads() {
            return threads;
        }

        CountDownLatch guardedRun() {
            return guarded;
        }

        void awaitUnguardedRuns() throws InterruptedException {
            assertThat(unguarded.await(10, TimeUnit.SECONDS)).isTrue();
        }

        @Async
        @LeaderOnly
        public CompletableFuture<String> asynchronous() {
            gate.pass();
            return CompletableFuture.completedFuture(here());
        }

        @LeaderOnly
        @Transactional
        public void transactional() {}

        @Transactional
        @Async
        @LeaderOnly
        public CompletableFuture<String> everything() {
            return CompletableFuture.completedFuture(here());
        }

        @EventListener
        @LeaderOnly
        public void onEvent(String event) {
            heard.add(event + " on " + here());
        }

        @Scheduled(fixedRate = 5)
        public void unguarded() {
            unguarded.countDown();
        }

        @Scheduled(fixedRate = 5)
        @LeaderOnly("clock")
        public void guarded() {
            threads.add(here());
            guarded.countDown();
        }

        static final class Gate {

            private volatile CountDownLatch latch = new CountDownLatch(0);

            Gate shut() {
                latch = new CountDownLatch(1);
                return this;
            }

            void open() {
                latch.countDown();
            }

            void pass() {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    static class Unguarded {
        @Async
        @Transactional
        public CompletableFuture<String> work() {
            return CompletableFuture.completedFuture(here());
        }
    }

    static class Plain {}

    /** No other advice makes a proxy of it before. */
    static class Subscriber {
        @LeaderOnly
        public String delivered() {
            return "done";
        }
    }
}
