package dev.election.spring.bound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ConditionalOnLeader;
import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.spring.lifecycle.LifecycleContext;
import dev.election.spring.lifecycle.RecordedLifecycle;
import dev.election.testing.HandDrivenElections;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.DefaultLifecycleProcessor;

class LeaderBoundErrorsTest {

    private static final List<String> TRACE = new ArrayList<>();

    private final ApplicationContextRunner runner =
            LifecycleContext.runner().withBean(Elections.class, HandDrivenElections::new);

    @Test
    void a_marked_bean_method_must_make_a_lifecycle() {
        rejects(
                runner.withUserConfiguration(NoLifecycle.class),
                "'job' is marked leader-only, but its type " + StringBuilder.class.getName()
                        + " does not implement Lifecycle",
                "SmartLifecycle");
    }

    @Test
    void a_static_marked_bean_method_must_too() {
        rejects(runner.withUserConfiguration(StaticNoLifecycle.class), "'job'", "SmartLifecycle");
    }

    @Test
    void a_bean_method_that_an_interface_marks_must_too() {
        rejects(runner.withUserConfiguration(InheritsNoLifecycle.class), "'job'", "SmartLifecycle");
    }

    @Test
    void a_lifecycle_processor_of_the_application_would_start_the_bean_everywhere() {
        TRACE.clear();
        rejects(
                runner.withUserConfiguration(Bound.class)
                        .withBean(
                                "lifecycleProcessor", DefaultLifecycleProcessor.class, DefaultLifecycleProcessor::new),
                "the application's own 'lifecycleProcessor' would start it on every node",
                "Remove the bean 'lifecycleProcessor'");
        assertThat(TRACE).isEmpty();
    }

    @Test
    void a_name_without_value_is_rejected() {
        rejects(runner.withUserConfiguration(Unnamed.class), "no value for the election name '${missing}'", "property");
    }

    @Test
    void a_name_that_is_none_is_rejected() {
        rejects(
                runner.withPropertyValues("missing=no name").withUserConfiguration(Unnamed.class),
                "'no name' is not a valid election name",
                "1 to 64 of A-Z");
    }

    @Test
    void without_elections_nothing_is_bound() {
        LifecycleContext.runner().withUserConfiguration(Bound.class).run(context -> assertThat(context)
                .getFailure()
                .hasStackTraceContaining("The application has leader-only beans, but no lease store"));
    }

    private static void rejects(ApplicationContextRunner runner, String problem, String action) {
        runner.run(context -> {
            assertThat(context).hasFailed();
            assertThat(context).getFailure().isInstanceOfSatisfying(ElectionConfigurationException.class, rejection -> {
                assertThat(rejection).hasMessageContaining(problem);
                assertThat(rejection.getAction()).contains(action);
            });
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class NoLifecycle {
        @Bean
        @LeaderOnly
        StringBuilder job() {
            return new StringBuilder();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class StaticNoLifecycle {
        @Bean
        @ConditionalOnLeader
        static StringBuilder job() {
            return new StringBuilder();
        }
    }

    interface Jobs {
        @LeaderOnly
        StringBuilder job();
    }

    @Configuration(proxyBeanMethods = false)
    static class InheritsNoLifecycle implements Jobs {
        @Bean
        @Override
        public StringBuilder job() {
            return new StringBuilder();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Bound {
        @Bean
        @LeaderOnly
        SmartLifecycle bound() {
            return new RecordedLifecycle("bound", 0, TRACE);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Unnamed {
        @Bean
        @LeaderOnly("${missing}")
        SmartLifecycle bound() {
            return new RecordedLifecycle("bound", 0, TRACE);
        }
    }
}
