package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.autoconfigure.internal.observation.ObservedCalls;
import io.micrometer.observation.ObservationRegistry;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The observation of guarded calls is there, can be replaced and switched off, and needs its technology. */
class ObservationAutoConfigurationTest {

    private final ApplicationContextRunner runner =
            ElectionContext.inMemory().withBean(ObservationRegistry.class, ObservationRegistry::create);

    @Test
    void an_application_with_a_registry_has_guarded_calls_in_its_observations() {
        runner.run(context -> assertThat(context).hasSingleBean(ObservedCalls.class));
    }

    @Test
    void the_beans_of_the_application_win() {
        ObservedCalls calls = new ObservedCalls(ObservationRegistry::create, Set::of);
        runner.withBean("electionObservedCalls", ObservedCalls.class, () -> calls)
                .run(context -> assertThat(context).getBean(ObservedCalls.class).isSameAs(calls));
    }

    @Test
    void without_elections_a_registry_or_micrometer_there_is_nothing() {
        isAbsent(runner.withPropertyValues("election.enabled=false"));
        isAbsent(ElectionContext.inMemory());
        isAbsent(ElectionContext.inMemory().withClassLoader(new FilteredClassLoader(ObservationRegistry.class)));
    }

    private static void isAbsent(ApplicationContextRunner without) {
        without.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("electionObservedCalls"));
    }
}
