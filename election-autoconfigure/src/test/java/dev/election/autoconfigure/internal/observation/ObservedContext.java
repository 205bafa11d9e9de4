package dev.election.autoconfigure.internal.observation;

import dev.election.Elections;
import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import dev.election.autoconfigure.ElectionObservationAutoConfiguration;
import dev.election.testing.HandDrivenElections;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.util.function.Consumer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ScheduledTasksObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.config.Task;

/** A context with the observations of Spring Boot, over elections in the test's hand. The test runs its scheduled methods. */
final class ObservedContext {

    final HandDrivenElections elections = new HandDrivenElections();
    final TestObservationRegistry observations = TestObservationRegistry.create();

    private ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    PropertyPlaceholderAutoConfiguration.class,
                    ObservationAutoConfiguration.class,
                    ScheduledTasksObservationAutoConfiguration.class,
                    ElectionAopAutoConfiguration.class,
                    ElectionObservationAutoConfiguration.class))
            .withBean(Elections.class, () -> elections)
            .withBean(ObservationRegistry.class, () -> observations)
            .withUserConfiguration(Scheduling.class);

    ObservedContext set(String... properties) {
        runner = runner.withPropertyValues(properties);
        return this;
    }

    <T> ObservedContext with(Class<T> type) {
        runner = runner.withBean(type);
        return this;
    }

    void run(Consumer<ApplicationContext> test) {
        runner.run(test::accept);
    }

    /** Runs those scheduled methods one after the other, each as Spring's scheduler does. Returns the latest. */
    static Task tick(ApplicationContext context, String... methods) {
        Task latest = null;
        for (String method : methods) {
            latest = context.getBeanProvider(ScheduledTaskHolder.class).stream()
                    .flatMap(holder -> holder.getScheduledTasks().stream())
                    .map(ScheduledTask::getTask)
                    .filter(task -> task.toString().endsWith("." + method))
                    .findFirst()
                    .orElseThrow();
            latest.getRunnable().run();
        }
        if (latest == null) {
            throw new IllegalArgumentException("No method to run");
        }
        return latest;
    }

    @EnableScheduling
    static class Scheduling {}
}
