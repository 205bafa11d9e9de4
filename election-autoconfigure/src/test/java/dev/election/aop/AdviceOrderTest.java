package dev.election.aop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeaderOnly;
import dev.election.testing.HandDrivenElection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** The leader check comes before all other advice, on the thread of the caller. */
@DisplayNameGeneration(ReplaceUnderscores.class)
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
            assertThat(started.getBean(Transactions.class).trace).isEmpty();
        });
    }

    @Test
    void the_work_runs_until_its_transaction_has_been_committed() {
        election.lead();
        context.run(started -> {
            Transactions transactions = started.getBean(Transactions.class);
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
            assertThat(started.getBean(Transactions.class).trace).isEmpty();
            election.lead();
            assertThat(started.getBean(Worker.class).everything().get(10, TimeUnit.SECONDS))
                    .startsWith("worker-");
            assertThat(election.admissions()).isOne();
        });
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
        context.run(started -> {
            Object subscribed = started.getBean(Broker.class).beans.get(Worker.class);
            assertThat(subscribed).isSameAs(started.getBean(Worker.class));
            assertThat(((Worker) subscribed).delivered()).isNull();
        });
    }

    private static String here() {
        return Thread.currentThread().getName();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @EnableScheduling
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Everything {

        @Bean
        ThreadPoolTaskExecutor taskExecutor() {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setThreadNamePrefix("worker-");
            return executor;
        }

        @Bean
        ThreadPoolTaskScheduler taskScheduler() {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.setThreadNamePrefix("clock-");
            return scheduler;
        }

        @Bean
        Transactions transactions() {
            return new Transactions();
        }

        @Bean
        static Broker broker() {
            return new Broker();
        }
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

        @LeaderOnly
        public String delivered() {
            return "done";
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

    /** As the processors of message brokers do, which are ordered and remember the bean as it is when they see it. */
    static class Broker implements BeanPostProcessor, Ordered {

        private final Map<Class<?>, Object> beans = new ConcurrentHashMap<>();

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof Worker) {
                beans.put(Worker.class, bean);
            }
            return bean;
        }

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }
    }

    static class Transactions extends AbstractPlatformTransactionManager implements PlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        private final transient List<String> trace = new CopyOnWriteArrayList<>();
        private transient volatile HandDrivenElection election;

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            note("begin");
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            note("commit");
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            note("rollback");
        }

        private void note(String what) {
            trace.add(what + (election == null ? "" : " with " + election.runningWork() + " running"));
        }
    }
}
