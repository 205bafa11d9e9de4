package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeaderOnly;
import dev.election.testing.HandDrivenElections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A context whose beans ask for guards that nothing puts around them, as the test of a slice makes one. */
@ExtendWith(OutputCaptureExtension.class)
class UnguardedContextTest {

    private static final String WARNING = "are not guarded in this context";

    @Test
    void it_is_said_once_with_the_beans_and_what_to_add(CapturedOutput output) {
        start(Slice.class);
        assertThat(output)
                .containsOnlyOnce(WARNING)
                .contains("beans [job, poller]")
                .contains("add @AutoConfigureTestElections of dev.election:election-test");
    }

    @Test
    void nothing_is_said_where_they_are_guarded(CapturedOutput output) {
        start(Guarded.class);
        assertThat(output).doesNotContain(WARNING);
    }

    @Test
    void nothing_is_said_where_the_elections_are_switched_off(CapturedOutput output) {
        start(Slice.class, "--election.enabled=false");
        assertThat(output).doesNotContain(WARNING);
    }

    @Test
    void nothing_is_said_where_no_bean_asks_for_a_guard(CapturedOutput output) {
        start(Empty.class);
        assertThat(output).doesNotContain(WARNING);
    }

    private static void start(Class<?> application, String... arguments) {
        SpringApplication starting = new SpringApplication(application);
        starting.setWebApplicationType(WebApplicationType.NONE);
        starting.setRegisterShutdownHook(false);
        starting.run(arguments).close();
    }

    @Configuration(proxyBeanMethods = false)
    static class Empty {}

    @Configuration(proxyBeanMethods = false)
    static class Slice {

        @Bean
        Job job() {
            return new Job();
        }

        @Bean
        Poller poller() {
            return new Poller();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Job.class)
    @ImportAutoConfiguration(ElectionAopAutoConfiguration.class)
    static class Guarded {

        @Bean
        HandDrivenElections elections() {
            return new HandDrivenElections();
        }
    }

    static class Job {
        @LeaderOnly
        public void work() {}
    }

    @LeaderOnly
    static class Poller implements SmartLifecycle {

        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }
}
