package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.LeaderWork;
import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.internal.actuate.LeaderEndpoint;
import dev.election.autoconfigure.internal.actuate.LeaderHealthIndicator;
import dev.election.autoconfigure.internal.actuate.LeaderInfoContributor;
import dev.election.autoconfigure.internal.actuate.LeaderOperations;
import dev.election.autoconfigure.internal.actuate.LeaderWebExtension;
import dev.election.autoconfigure.internal.actuate.NodeKnowledge;
import dev.election.autoconfigure.internal.actuate.NodeView;
import dev.election.autoconfigure.internal.actuate.RequestLimits;
import dev.election.autoconfigure.internal.checks.Doctor;
import dev.election.autoconfigure.internal.checks.GuardedMethodsCheck;
import dev.election.autoconfigure.internal.checks.PropertiesCheck;
import dev.election.autoconfigure.internal.console.ConsolePage;
import dev.election.autoconfigure.internal.console.LeaderConsoleEndpoint;
import dev.election.autoconfigure.internal.metrics.ElectionMeters;
import dev.election.autoconfigure.internal.watch.ElectionWatch;
import dev.election.autoconfigure.internal.watch.NodeMemory;
import dev.election.autoconfigure.internal.watch.StuckWork;
import dev.election.spring.calls.CallObserver;
import dev.election.store.LeaseStoreDecorator;
import dev.election.testing.HandDrivenElections;
import io.lettuce.core.RedisClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;

/** What the starter adds for operators: there, switched off, replaced by the application, and without its technology. */
class OperationsAutoConfigurationTest {

    private static final List<Class<?>> OPERATIONS = List.of(
            ElectionWatch.class,
            LeaderOperations.class,
            LeaderEndpoint.class,
            LeaderWebExtension.class,
            LeaderHealthIndicator.class,
            LeaderInfoContributor.class,
            ElectionMeters.class,
            Doctor.class);

    @Test
    void an_application_with_everything_gets_everything() {
        runner().run(context -> {
            assertThat(context).hasNotFailed();
            OPERATIONS.forEach(type -> assertThat(context).hasSingleBean(type));
            assertThat(context).hasSingleBean(LeaseStoreDecorator.class);
            assertThat(context.getBeansOfType(CallObserver.class))
                    .containsOnlyKeys("electionMeters", "electionOutlastingWork", "electionStuckWork");
            assertThat(context.getBeansOfType(Check.class))
                    .containsOnlyKeys("electionCommandTimeoutCheck", "electionQuartzLedgerCheck");
            assertThat(ElectionWatchAutoConfiguration.ownChecks(context, context.getBean(ElectionProperties.class)))
                    .hasExactlyElementsOfTypes(GuardedMethodsCheck.class, PropertiesCheck.class);
            assertThat(registersCalls(context.getBean(StuckWork.class))).isFalse();
        });
    }

    @Test
    void without_elections_there_is_nothing() {
        runner().withPropertyValues("election.enabled=false").run(context -> {
            assertThat(context).hasNotFailed();
            OPERATIONS.forEach(type -> assertThat(context).doesNotHaveBean(type));
        });
    }

    @Test
    void each_part_is_switched_off_by_itself() {
        isGone(LeaderEndpoint.class, "management.endpoint.leader.access=NONE");
        isGone(LeaderOperations.class, "management.endpoints.web.exposure.exclude=leader");
        isGone(LeaderHealthIndicator.class, "management.health.leader.enabled=false");
    }

    @Test
    void info_says_nothing_of_the_elections_unless_asked() {
        ElectionContext.inMemory()
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaderInfoContributor.class));
    }

    @Test
    void the_page_is_there_only_if_it_is_exposed() {
        runner().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaderConsoleEndpoint.class));
        ApplicationContextRunner exposed =
                runner().withPropertyValues("management.endpoints.web.exposure.include=leader,leaderconsole");
        exposed.run(context -> assertThat(context).hasNotFailed().hasSingleBean(LeaderConsoleEndpoint.class));
        exposed.withPropertyValues("management.endpoint.leaderconsole.access=NONE")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaderConsoleEndpoint.class));
        exposed.withPropertyValues("election.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaderConsoleEndpoint.class));
        LeaderConsoleEndpoint own = new LeaderConsoleEndpoint(new ConsolePage(id -> id));
        exposed.withBean("electionLeaderConsoleEndpoint", LeaderConsoleEndpoint.class, () -> own)
                .run(context ->
                        assertThat(context).getBean(LeaderConsoleEndpoint.class).isSameAs(own));
        exposed.withClassLoader(new FilteredClassLoader(Endpoint.class))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void work_is_watched_where_that_is_asked_for() {
        runner().withPropertyValues("election.health.stuck-work-after=1m").run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(StuckWork.class);
            assertThat(registersCalls(context.getBean(StuckWork.class))).isTrue();
        });
        runner().withPropertyValues("election.health.stuck-work-after=0s")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("must be longer than zero"));
    }

    /** Whether calls are registered, which has a small cost at each call. */
    private static boolean registersCalls(StuckWork stuck) throws NoSuchMethodException {
        try (LeaderWork work =
                new HandDrivenElections().lead("reports").beginWork().orElseThrow()) {
            return stuck.begun("reports", Runnable.class.getMethod("run"), work) != work;
        }
    }

    @Test
    void the_beans_of_the_application_win() {
        HandDrivenElections elections = new HandDrivenElections();
        ElectionWatch watch = new ElectionWatch(election -> Duration.ofSeconds(15));
        NodeMemory memory = new NodeMemory(watch, List.of(), Optional::empty, Optional::empty, List::of, "mine");
        NodeKnowledge known = new NodeKnowledge(
                () -> new NodeView("mine", "", Map.of()), memory, Optional::empty, InstantSource.system());
        LeaderOperations operations = new LeaderOperations(
                elections,
                known,
                election -> CompletableFuture.completedFuture(List.of()),
                null,
                new RequestLimits(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO),
                true);
        runner().withBean(Elections.class, () -> elections)
                .withBean("electionWatch", ElectionWatch.class, () -> watch)
                .withBean("electionLeaderOperations", LeaderOperations.class, () -> operations)
                .withBean("electionLeaderEndpoint", LeaderEndpoint.class, () -> new LeaderEndpoint(operations))
                .withBean(
                        "electionLeaderWebExtension",
                        LeaderWebExtension.class,
                        () -> new LeaderWebExtension(operations))
                .withBean(
                        "leaderHealthIndicator",
                        HealthIndicator.class,
                        () -> () -> Health.up().build())
                .withBean(
                        "electionLeaderInfoContributor",
                        LeaderInfoContributor.class,
                        () -> new LeaderInfoContributor(elections, known))
                .withBean(
                        "electionMeters",
                        ElectionMeters.class,
                        () -> new ElectionMeters(new SimpleMeterRegistry(), elections, watch, "mine", List.of()))
                .withBean(
                        "electionDoctor",
                        Doctor.class,
                        () -> new Doctor(new GenericApplicationContext(), List::of, () -> false))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context).doesNotHaveBean(LeaderHealthIndicator.class);
                    assertThat(context).getBean(ElectionWatch.class).isSameAs(watch);
                    assertThat(context).getBean(LeaderOperations.class).isSameAs(operations);
                    for (Class<?> type : List.of(
                            LeaderEndpoint.class,
                            LeaderWebExtension.class,
                            LeaderInfoContributor.class,
                            ElectionMeters.class,
                            Doctor.class)) {
                        String name = context.getBeanNamesForType(type)[0];
                        assertThat(context).hasSingleBean(type);
                        assertThat(context.getBeanFactory()
                                        .getBeanDefinition(name)
                                        .getFactoryMethodName())
                                .as("the method of the library that makes " + name)
                                .isNull();
                    }
                });
    }

    @Test
    void elections_of_the_application_are_shown_like_any() {
        HandDrivenElections elections = new HandDrivenElections();
        elections.lead("reports");
        runner().withBean(Elections.class, () -> elections).run(context -> assertThat(
                        context.getBean(LeaderEndpoint.class).elections().toString())
                .contains("reports"));
    }

    @Test
    void without_the_actuator_there_is_no_endpoint_and_no_info_but_the_rest() {
        without(Endpoint.class, LeaderEndpoint.class);
        without(InfoContributor.class, LeaderInfoContributor.class);
    }

    @Test
    void without_the_health_module_there_is_no_health_but_the_rest() {
        without(HealthIndicator.class, LeaderHealthIndicator.class);
    }

    @Test
    void without_micrometer_there_are_no_meters_but_the_rest() {
        ElectionContext.inMemory()
                .withPropertyValues("management.endpoints.web.exposure.include=leader")
                .withClassLoader(new FilteredClassLoader(MeterRegistry.class))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(LeaderEndpoint.class);
                    assertThat(context.getBeanNamesForType(LeaseStoreDecorator.class))
                            .isEmpty();
                });
    }

    @Test
    void without_a_registry_there_are_no_meters() {
        ElectionContext.inMemory().run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(ElectionMeters.class)
                .doesNotHaveBean(LeaseStoreDecorator.class));
    }

    @Test
    void without_lettuce_the_doctor_looks_at_what_there_is() {
        runner().withClassLoader(new FilteredClassLoader(RedisClient.class))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Doctor.class));
    }

    private static void isGone(Class<?> part, String property) {
        runner().withPropertyValues(property)
                .run(context ->
                        assertThat(context).hasNotFailed().doesNotHaveBean(part).hasSingleBean(ElectionWatch.class));
    }

    private static void without(Class<?> technology, Class<?> part) {
        runner().withClassLoader(new FilteredClassLoader(technology)).run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(ElectionWatch.class)
                    .hasSingleBean(ElectionMeters.class);
            assertThat(context.getBeanDefinitionNames())
                    .noneMatch(name -> name.equalsIgnoreCase("election" + part.getSimpleName())
                            || name.equalsIgnoreCase(part.getSimpleName()));
        });
    }

    private static ApplicationContextRunner runner() {
        return ElectionContext.inMemory()
                .withPropertyValues("management.endpoints.web.exposure.include=leader")
                .withPropertyValues("management.info.leader.enabled=true")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new);
    }
}
