package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.LeaderRecovery;
import dev.election.LeaderState;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.Role;
import dev.election.autoconfigure.internal.actuate.LeaderEndpoint;
import dev.election.autoconfigure.internal.actuate.LeaderHealthIndicator;
import dev.election.record.RecordLedgerStore;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStoreDecorator;
import dev.election.store.LedgerStore;
import dev.election.store.test.InMemoryRecordStore;
import dev.election.testing.Nodes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;

/** What a new leader of an application does before its guarded calls and its leader-only beans. */
class RecoveryAutoConfigurationTest {

    @Test
    void nothing_of_a_new_leader_begins_before_its_recoveries_have_run_in_their_order() {
        runner().withUserConfiguration(Application.class).run(context -> {
            Application application = context.getBean(Application.class);
            Election election = context.getBean(Elections.class).get(Election.DEFAULT);
            Work work = context.getBean(Work.class);
            LeaderEndpoint endpoint = context.getBean(LeaderEndpoint.class);
            LeaderHealthIndicator health = context.getBean(LeaderHealthIndicator.class);
            Nodes.await("the second recovery").until(() -> application.trace.contains("second"));
            assertThat(election.role()).isEqualTo(Role.LEADER);
            work.call();
            assertThat(application.trace).containsExactly("first", "second");
            // Listeners hear of a recovery beside it.
            Nodes.await("the endpoint shows it")
                    .until(() -> endpoint.elections().toString().contains("PresentRecovery[name=second"));
            assertThat(health.health().getStatus().getCode()).isEqualTo("UP");
            assertThat(health.health().getDetails().get(Election.DEFAULT))
                    .asString()
                    .contains("PresentRecovery[name=second");

            application.mayReturn.countDown();
            Nodes.await("the bean and the listener").until(() -> application.trace.size() == 4);
            assertThat(application.trace).contains("bean started", "acquired");
            work.call();
            assertThat(application.trace).endsWith("call");
            Nodes.await("the endpoint shows none")
                    .until(() -> !endpoint.elections().toString().contains("PresentRecovery["));
        });
    }

    @Test
    void an_application_that_only_recovers_takes_part_in_the_election() {
        List<String> trace = new CopyOnWriteArrayList<>();
        runner().withBean(
                        LeaderRecovery.class,
                        () -> work -> trace.add(work.election().name()))
                .run(context -> Nodes.await("the recovery").until(() -> trace.contains(Election.DEFAULT)));
    }

    @Test
    void a_recovery_writes_the_state_of_the_election_and_late_work_of_an_earlier_leadership_does_not() {
        LedgerStore ledgers = new RecordLedgerStore(InMemoryRecordStore.withoutClock(), "");
        runner().withBean(
                        LeaseStoreDecorator.class,
                        () -> store -> new ForwardingLeaseStore(store) {
                            @Override
                            public Optional<LedgerStore> ledgerStore() {
                                return Optional.of(ledgers);
                            }
                        })
                .withBean(
                        LeaderRecovery.class,
                        () -> work -> work.election()
                                .state()
                                .write("recovered")
                                .toCompletableFuture()
                                .get(10, TimeUnit.SECONDS))
                .run(context -> {
                    Election election = context.getBean(Elections.class).get(Election.DEFAULT);
                    LeaderState state = election.state();
                    Nodes.await("the state")
                            .until(() -> text(state).filter("recovered"::equals).isPresent());
                    Nodes.await("work").until(() -> election.runIfLeader(() -> {}));
                    LeaderWork late = election.beginWork().orElseThrow();
                    CompletionStage<AbdicationOutcome> left =
                            election.abdicate(Abdication.toAnyone().drainingFor(Duration.ZERO));
                    assertThat(left.toCompletableFuture().get(10, TimeUnit.SECONDS))
                            .isEqualTo(AbdicationOutcome.RELEASED);
                    Nodes.await("the next leadership").until(() -> election.runIfLeader(() -> {}));
                    try (LeaderWork closed = late;
                            LeaderWork.Scope scope = late.onThisThread()) {
                        assertThat(state.write("late").toCompletableFuture().get(10, TimeUnit.SECONDS))
                                .isEqualTo(LeaderState.WriteOutcome.SUPERSEDED);
                    }
                    assertThat(text(state)).contains("recovered");
                });
    }

    private static Optional<String> text(LeaderState state) throws Exception {
        return state.read().toCompletableFuture().get(10, TimeUnit.SECONDS).map(LeaderState.Saved::text);
    }

    @Test
    void a_store_without_ledgers_refuses_the_state() {
        runner().run(context -> assertThatThrownBy(
                        () -> context.getBean(Elections.class).get("reports").state())
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("keeps no state"));
    }

    @Test
    void a_recovery_without_time_is_refused() {
        runner().withPropertyValues("election.recovery.at-most=0s").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("longer than zero"));
    }

    @Test
    void a_leader_whose_recovery_takes_too_long_gives_up() {
        runner().withPropertyValues("election.recovery.at-most=10ms")
                .withBean(LeaderRecovery.class, () -> work -> new CountDownLatch(1).await())
                .run(context -> {
                    Election election = context.getBean(Elections.class).get(Election.DEFAULT);
                    Nodes.await("giving up").until(() -> election.role() == Role.COOLING_DOWN);
                });
    }

    @Test
    void a_leader_whose_event_listener_throws_at_the_beginning_gives_up_where_that_is_asked_for() {
        runner().withPropertyValues("election.give-up-on-failed-start=true")
                .withUserConfiguration(Failing.class)
                .run(context -> {
                    Election election = context.getBean(Elections.class).get(Election.DEFAULT);
                    Nodes.await("giving up").until(() -> election.role() == Role.COOLING_DOWN);
                });
    }

    private static ApplicationContextRunner runner() {
        return ElectionContext.inMemory()
                .withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=leader");
    }

    @Configuration(proxyBeanMethods = false)
    static class Failing {

        @EventListener
        void begin(LeadershipEvent.Acquired event) {
            throw new IllegalStateException("no port");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        final List<String> trace = new CopyOnWriteArrayList<>();
        final CountDownLatch mayReturn = new CountDownLatch(1);

        /** Named before the first, so that only the order decides. */
        @Bean
        @Order(2)
        LeaderRecovery second() {
            return work -> {
                trace.add("second");
                mayReturn.await();
            };
        }

        @Bean
        @Order(1)
        LeaderRecovery third() {
            return work -> trace.add("first");
        }

        @Bean
        Work work() {
            return new Work(trace);
        }

        @Bean
        @LeaderOnly
        Poller poller() {
            return new Poller(trace);
        }

        @EventListener
        void acquired(LeadershipEvent.Acquired event) {
            trace.add("acquired");
        }
    }

    static class Work {

        private final List<String> trace;

        Work(List<String> trace) {
            this.trace = trace;
        }

        @LeaderOnly
        void call() {
            trace.add("call");
        }
    }

    static class Poller implements SmartLifecycle {

        private final List<String> trace;
        private volatile boolean running;

        Poller(List<String> trace) {
            this.trace = trace;
        }

        @Override
        public void start() {
            running = true;
            trace.add("bean started");
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }
}
