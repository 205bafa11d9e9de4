package dev.election.spring.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.autoconfigure.internal.BootReadiness;
import dev.election.spring.Candidacy;
import dev.election.spring.internal.delay.HandDrivenTasks;
import dev.election.testing.HandDrivenElections;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;

/** When an application takes part in its elections. */
@ExtendWith(OutputCaptureExtension.class)
class ElectionLifecycleTest {

    private final HandDrivenElections elections = new HandDrivenElections();

    @Test
    void an_application_takes_part_when_its_runners_are_through() {
        List<String> seenByRunner = new ArrayList<>();
        ApplicationRunner runner = arguments -> seenByRunner.addAll(elections.calls());
        try (ConfigurableApplicationContext context = application(runner).run()) {
            assertThat(context.isRunning()).isTrue();
            assertThat(seenByRunner).isEmpty();
            assertThat(elections.calls()).containsExactly("start");
        }
        assertThat(elections.calls()).containsExactly("start", "stop");
    }

    @Test
    void an_application_that_asks_for_it_takes_part_before_its_runners() {
        List<String> seenByRunner = new ArrayList<>();
        ApplicationRunner runner = arguments -> {
            seenByRunner.addAll(elections.calls());
            elections.all().forEach(election -> seenByRunner.add(election.name()));
            elections.lead("feeds");
        };
        SpringApplication application = application(runner);
        application.addPrimarySources(List.of(Guarded.class, Poller.class));
        application.setDefaultProperties(Map.of("election.startup.candidacy", "before-runners"));
        try (ConfigurableApplicationContext context = application.run()) {
            assertThat(seenByRunner).containsExactly("start", "feeds", "reports");
            assertThat(context.getBean(Poller.class).isRunning()).isTrue();
            assertThat(context.getBean(ElectionLifecycle.class).pendingStart()).isEmpty();
        }
        assertThat(elections.calls()).containsExactly("start", "stop");
    }

    @Test
    void a_runner_that_does_not_return_is_told_of_once_with_the_way_out(CapturedOutput output) {
        HandDrivenTasks tasks = new HandDrivenTasks();
        List<String> seenByRunner = new ArrayList<>();
        SpringApplication application = application();
        application.addInitializers(context -> {
            ElectionLifecycle lifecycle = new ElectionLifecycle(
                    new BootReadiness(context, Candidacy.AFTER_RUNNERS), elections, Duration.ofSeconds(1), tasks);
            context.getBeanFactory().registerSingleton("electionLifecycle", lifecycle);
            context.getBeanFactory().registerSingleton("runner", new LastingRunner(() -> {
                seenByRunner.add(lifecycle.pendingStart().orElseThrow().waitsFor());
                assertThat(output).doesNotContain("does not take part in any election yet");
                assertThat(tasks.pass()).isEqualTo(Duration.ofSeconds(10));
                assertThat(tasks.isIdle()).isTrue();
            }));
        });
        try (ConfigurableApplicationContext context = application.run()) {
            assertThat(context.getBean(ElectionLifecycle.class).pendingStart()).isEmpty();
        }
        assertThat(seenByRunner).singleElement().satisfies(seen -> assertThat(seen)
                .startsWith("the runner " + LastingRunner.class.getName() + ".run(ElectionLifecycleTest.java:")
                .endsWith("on the thread '" + Thread.currentThread().getName() + "'"));
        assertThat(output)
                .containsOnlyOnce(
                        "This node does not take part in any election yet and can't lead: the start of the application has"
                                + " been waiting for 10 s for the runner " + LastingRunner.class.getName())
                .containsOnlyOnce("set election.startup.candidacy=before-runners");
    }

    @Test
    void an_application_that_fails_to_start_waits_for_nothing_more() {
        HandDrivenTasks tasks = new HandDrivenTasks();
        ElectionLifecycle lifecycle = new ElectionLifecycle(
                new BootReadiness(mock(ApplicationContext.class), Candidacy.AFTER_RUNNERS),
                elections,
                Duration.ofSeconds(1),
                tasks);
        lifecycle.start();
        assertThat(lifecycle.pendingStart()).isPresent();
        lifecycle.stop();
        assertThat(lifecycle.pendingStart()).isEmpty();
        assertThat(tasks.isIdle()).isTrue();
    }

    @Test
    void an_application_whose_runner_fails_never_takes_part() {
        ApplicationRunner runner = arguments -> {
            throw new IllegalStateException("broken runner");
        };
        neverStarts(application(runner), "broken runner");
    }

    @Test
    void an_application_whose_lifecycle_fails_never_takes_part() {
        neverStarts(
                application(new RecordedLifecycle("broken", 0, new ArrayList<>()) {
                    @Override
                    public void start() {
                        throw new IllegalStateException("broken lifecycle");
                    }
                }),
                "broken lifecycle");
    }

    @Test
    void a_plain_context_takes_part_when_it_is_refreshed() {
        List<String> seenByLifecycle = new ArrayList<>();
        LifecycleContext.runner()
                .withBean(Elections.class, () -> elections)
                .withBean(
                        SmartLifecycle.class,
                        () -> new RecordedLifecycle("late", Integer.MAX_VALUE, new ArrayList<>()) {
                            @Override
                            public void start() {
                                seenByLifecycle.addAll(elections.calls());
                            }
                        })
                .run(context -> {
                    assertThat(seenByLifecycle).isEmpty();
                    assertThat(elections.calls()).containsExactly("start");
                });
    }

    @Test
    void guarded_elections_are_joined_before_the_start() {
        LifecycleContext.runner()
                .withBean(Elections.class, () -> elections)
                .withPropertyValues("election.elections.billing.lease=5s")
                .withUserConfiguration(Guarded.class)
                .run(context -> assertThat(elections.all())
                        .extracting(election -> election.name())
                        .containsExactly("billing", "reports"));
    }

    @Test
    void a_context_that_is_stopped_and_started_again_takes_part_again() {
        LifecycleContext.runner().withBean(Elections.class, () -> elections).run(context -> {
            context.getSourceApplicationContext().stop();
            assertThat(elections.calls()).containsExactly("start", "stop");
            context.getSourceApplicationContext().start();
            assertThat(elections.calls()).containsExactly("start", "stop", "start");
        });
    }

    @Test
    void an_application_that_is_said_to_be_ready_when_it_has_stopped_takes_part_only_when_started_again() {
        SpringApplication application = application();
        try (ConfigurableApplicationContext context = application.run()) {
            context.stop();
            context.publishEvent(new ApplicationReadyEvent(application, new String[0], context, Duration.ZERO));
            assertThat(elections.calls()).containsExactly("start", "stop");
            context.start();
            assertThat(elections.calls()).containsExactly("start", "stop", "start");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {SmartLifecycle.DEFAULT_PHASE, 0})
    void the_elections_stop_before_what_their_work_may_need(int phase) {
        List<String> seenByLifecycle = new ArrayList<>();
        LifecycleContext.runner()
                .withBean(Elections.class, () -> elections)
                .withBean(SmartLifecycle.class, () -> new RecordedLifecycle("server", phase, new ArrayList<>()) {
                    @Override
                    public void stop() {
                        seenByLifecycle.addAll(elections.calls());
                    }
                })
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(seenByLifecycle).containsExactly("start", "stop");
    }

    @Test
    void elections_that_are_started_again_begin_after_what_their_work_may_need() {
        List<String> seenByLifecycle = new ArrayList<>();
        LifecycleContext.runner()
                .withBean(Elections.class, () -> elections)
                .withBean(
                        SmartLifecycle.class,
                        () -> new RecordedLifecycle("server", SmartLifecycle.DEFAULT_PHASE, new ArrayList<>()) {
                            @Override
                            public void start() {
                                super.start();
                                seenByLifecycle.add(elections.calls().toString());
                            }
                        })
                .run(context -> {
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                            .stop();
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                            .start();
                });
        assertThat(seenByLifecycle).containsExactly("[]", "[start, stop]");
        assertThat(elections.calls()).containsExactly("start", "stop", "start", "stop");
    }

    @Test
    @Timeout(10)
    void an_election_that_does_not_end_holds_the_shutdown_up_no_longer_than_allowed() {
        Elections hanging = mock(Elections.class);
        when(hanging.stop()).thenReturn(new CompletableFuture<>());
        ElectionLifecycle lifecycle = new ElectionLifecycle(
                new BootReadiness(mock(ApplicationContext.class), Candidacy.AFTER_RUNNERS),
                hanging,
                Duration.ofMillis(20));
        lifecycle.start();
        lifecycle.stop();
        assertThat(lifecycle.isRunning()).isFalse();
    }

    @Test
    void a_child_joins_its_elections_when_its_runners_are_through() {
        List<Object> seenByRunner = new ArrayList<>();
        inParent(parent -> {
            try (ConfigurableApplicationContext child =
                    child(parent, arguments -> seenByRunner.addAll(elections.all()), Guarded.class)) {
                assertThat(child.getParent()).isSameAs(parent);
                assertThat(seenByRunner).extracting("name").doesNotContain("reports");
                assertThat(elections.all()).extracting("name").contains("reports");
            }
        });
    }

    @Test
    void a_child_joins_the_elections_of_its_leader_bound_beans_when_its_runners_are_through() {
        List<Object> seenByRunner = new ArrayList<>();
        inParent(parent -> {
            try (ConfigurableApplicationContext child =
                    child(parent, arguments -> seenByRunner.addAll(elections.all()), Poller.class)) {
                assertThat(seenByRunner).extracting("name").doesNotContain("feeds");
                Poller poller = child.getBean(Poller.class);
                assertThat(poller.isRunning()).isFalse();
                elections.lead("feeds");
                assertThat(poller.isRunning()).isTrue();
            }
        });
    }

    @Test
    void a_child_whose_runner_fails_never_joins() {
        inParent(parent -> {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> child(
                            parent,
                            arguments -> {
                                throw new IllegalStateException("broken runner");
                            },
                            Guarded.class));
            assertThat(elections.all()).extracting("name").doesNotContain("reports");
        });
    }

    private void inParent(Consumer<ConfigurableApplicationContext> test) {
        LifecycleContext.runner()
                .withBean(Elections.class, () -> elections)
                .run(context -> test.accept(context.getSourceApplicationContext()));
    }

    private static ConfigurableApplicationContext child(
            ConfigurableApplicationContext parent, ApplicationRunner runner, Class<?> bean) {
        return new SpringApplicationBuilder(LifecycleContext.Everything.class, bean)
                .parent(parent)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .initializers(context -> context.getBeanFactory().registerSingleton("runner", runner))
                .run();
    }

    private void neverStarts(SpringApplication application, String problem) {
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(application::run)
                .satisfies(failure -> assertThat(failure).hasStackTraceContaining(problem));
        assertThat(elections.calls()).doesNotContain("start");
    }

    private SpringApplication application(Object... beans) {
        return new SpringApplicationBuilder(LifecycleContext.Everything.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .initializers(context -> {
                    GenericApplicationContext generic = (GenericApplicationContext) context;
                    generic.registerBean(Elections.class, () -> elections);
                    for (Object bean : beans) {
                        context.getBeanFactory().registerSingleton("bean", bean);
                    }
                })
                .build();
    }

    private record LastingRunner(Runnable work) implements ApplicationRunner {
        @Override
        public void run(ApplicationArguments arguments) {
            work.run();
        }
    }

    static class Guarded {
        @LeaderOnly("reports")
        public void work() {}
    }

    @LeaderOnly("feeds")
    static class Poller extends RecordedLifecycle {
        Poller() {
            super("poller", 0, new ArrayList<>());
        }
    }
}
