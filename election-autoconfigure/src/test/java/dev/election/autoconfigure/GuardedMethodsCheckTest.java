package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeaderOnly;
import dev.election.autoconfigure.checks.Finding;
import dev.election.autoconfigure.internal.checks.GuardedMethodsCheck;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

class GuardedMethodsCheckTest {

    @Test
    void a_guarded_method_with_a_schedule_that_nothing_calls_is_found() throws NoSuchMethodException {
        assertThat(findings("scheduled", false)).singleElement().satisfies(finding -> {
            assertThat(finding.problem()).contains("Jobs.scheduled is not called by its schedule");
            assertThat(finding.action()).startsWith("Put @EnableScheduling on a configuration class");
        });
        assertThat(findings("often", false)).hasSize(1);
        assertThat(findings("scheduled", true)).isEmpty();
        assertThat(findings("called", false)).isEmpty();
    }

    @Test
    void the_wiring_knows_whether_scheduled_methods_are_called() {
        ApplicationContextRunner runner = ElectionContext.inMemory().withUserConfiguration(Jobs.class);
        runner.run(context -> assertThat(findings(context)).hasSize(2));
        runner.withUserConfiguration(Scheduling.class)
                .run(context -> assertThat(findings(context)).isEmpty());
    }

    private static List<Finding> findings(ApplicationContext context) {
        return ElectionWatchAutoConfiguration.ownChecks(context, context.getBean(ElectionProperties.class)).stream()
                .filter(GuardedMethodsCheck.class::isInstance)
                .flatMap(check -> check.look().toCompletableFuture().join().stream())
                .toList();
    }

    private static List<Finding> findings(String name, boolean schedules) throws NoSuchMethodException {
        Method method = Jobs.class.getMethod(name);
        return new GuardedMethodsCheck(action -> action.accept(Jobs.class, method), true, schedules)
                .look()
                .toCompletableFuture()
                .join();
    }

    static class Jobs {

        @LeaderOnly
        @Scheduled(fixedRate = 3_600_000)
        public void scheduled() {}

        @LeaderOnly
        @Scheduled(fixedRate = 3_600_000)
        @Scheduled(cron = "0 0 3 * * *")
        public void often() {}

        @LeaderOnly
        public void called() {}
    }

    @EnableScheduling
    static class Scheduling {}
}
