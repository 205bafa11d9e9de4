package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.autoconfigure.checks.Finding;
import dev.election.autoconfigure.internal.checks.PropertiesCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Properties that nothing reads, found by their names. */
class PropertiesCheckTest {

    @Test
    void settings_of_Quartz_are_read_where_there_is_Quartz_only() {
        ApplicationContextRunner runner =
                ElectionContext.inMemory().withPropertyValues("election.quartz.mode=veto", "election.lease=20s");
        assertThat(problems(runner)).isEmpty();
        assertThat(problems(runner.withClassLoader(new FilteredClassLoader("org.quartz"))))
                .singleElement()
                .asString()
                .startsWith("The property election.quartz.mode is set (")
                .endsWith("nothing in this application reads it");
    }

    @Test
    void of_environment_variables_only_those_are_told_that_are_like_a_property() {
        assertThat(problems(variables(Map.of(
                        "ELECTION_MINIMUM_TENURE",
                        "1m",
                        "ELECTION_NODE_ID",
                        "a",
                        "ELECTION_ELECTIONS_REPORTS_LEASE",
                        "20s",
                        "ELECTION_PORT_6379_TCP_ADDR",
                        "10.0.0.1",
                        "ELECTION_ROL",
                        "observer"))))
                .singleElement()
                .asString()
                .startsWith("The property election.rol is set");
    }

    private static ApplicationContextRunner variables(Map<String, Object> variables) {
        return ElectionContext.inMemory().withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        "test-" + StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables)));
    }

    private static List<String> problems(ApplicationContextRunner runner) {
        List<String> problems = new ArrayList<>();
        runner.run(context ->
                ElectionWatchAutoConfiguration.ownChecks(context, context.getBean(ElectionProperties.class)).stream()
                        .filter(PropertiesCheck.class::isInstance)
                        .flatMap(check -> check.look().toCompletableFuture().join().stream())
                        .map(Finding::problem)
                        .forEach(problems::add));
        return problems;
    }
}
