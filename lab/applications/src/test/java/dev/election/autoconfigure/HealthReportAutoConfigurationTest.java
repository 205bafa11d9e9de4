package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionConfigurationException;
import dev.election.autoconfigure.internal.HealthReport;
import dev.election.members.Members;
import dev.election.testing.Nodes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The health contributors that {@code election.abdicate-when-down} names. */
class HealthReportAutoConfigurationTest {

    private final List<String> askedOn = new CopyOnWriteArrayList<>();

    @Test
    void an_unknown_name_fails_the_start_and_names_those_that_exist() {
        runner().withPropertyValues("election.abdicate-when-down=feed,typo").run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("No health contributor has the name typo")
                .hasMessageContaining("feed"));
    }

    @Test
    void named_contributors_are_asked_on_a_thread_of_their_own_and_the_node_is_a_member_with_a_standing() {
        runner().withPropertyValues("election.abdicate-when-down[0]=feed").run(context -> {
            Nodes.await("a question").until(() -> !askedOn.isEmpty());
            assertThat(askedOn).containsOnly("election-health");
            Members members = context.getBean(Members.class);
            Nodes.await("this member").until(() -> members.count() == 1);
            assertThat(members.own().standing()).isPresent();
            assertThat(members.own().downtime()).as("after one answer").isEmpty();
        });
    }

    @Test
    void without_the_property_nothing_is_asked() {
        runner().run(context -> assertThat(context).doesNotHaveBean(HealthReport.class));
    }

    @Test
    void the_property_is_refused_without_the_health_module() {
        runner().withPropertyValues("election.abdicate-when-down=feed")
                .withClassLoader(new FilteredClassLoader(HealthContributorRegistry.class))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("spring-boot-health is not on the class path"));
    }

    private ApplicationContextRunner runner() {
        return ElectionContext.inMemory()
                .withConfiguration(AutoConfigurations.of(HealthContributorRegistryAutoConfiguration.class))
                .withBean("feedHealthIndicator", HealthIndicator.class, () -> () -> {
                    askedOn.add(Thread.currentThread().getName());
                    return Health.down().build();
                });
    }
}
