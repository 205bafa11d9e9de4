package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.autoconfigure.internal.observation.ObservedCalls;
import dev.election.autoconfigure.internal.observation.SkippedRuns;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What the library adds to observations: there, asked for, replaced by the application, switched off, and without its technology. */
class ObservationAutoConfigurationTest {

    private final ApplicationContextRunner runner =
            ElectionContext.inMemory().withBean(ObservationRegistry.class, ObservationRegistry::create);

    @Test
    void an_application_with_a_registry_has_guarded_calls_in_its_observations() {
        runner.run(context ->
                assertThat(context).hasSingleBean(ObservedCalls.class).doesNotHaveBean(SkippedRuns.class));
    }

    @Test
    void skipped_runs_are_left_out_where_that_is_asked_for() {
        runner.withPropertyValues("election.observations.skipped-runs=false")
                .run(context ->
                        assertThat(context).hasSingleBean(ObservedCalls.class).hasSingleBean(SkippedRuns.class));
        runner.withPropertyValues("election.observations.skipped-runs=true")
                .run(context -> assertThat(context).doesNotHaveBean(SkippedRuns.class));
    }

    @Test
    void the_beans_of_the_application_win() {
        ObservedCalls calls = new ObservedCalls(ObservationRegistry::create);
        SkippedRuns runs = new SkippedRuns(() -> {
            throw new AssertionError();
        });
        runner.withPropertyValues("election.observations.skipped-runs=false")
                .withBean("electionObservedCalls", ObservedCalls.class, () -> calls)
                .withBean("electionSkippedRuns", SkippedRuns.class, () -> runs)
                .run(context -> {
                    assertThat(context).getBean(ObservedCalls.class).isSameAs(calls);
                    assertThat(context).getBean(SkippedRuns.class).isSameAs(runs);
                });
    }

    @Test
    void without_elections_a_registry_or_micrometer_there_is_nothing() {
        isAbsent(runner.withPropertyValues("election.enabled=false"));
        isAbsent(ElectionContext.inMemory());
        isAbsent(ElectionContext.inMemory().withClassLoader(new FilteredClassLoader(ObservationRegistry.class)));
    }

    private static void isAbsent(ApplicationContextRunner without) {
        without.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean("electionObservedCalls")
                .doesNotHaveBean("electionSkippedRuns"));
    }
}
