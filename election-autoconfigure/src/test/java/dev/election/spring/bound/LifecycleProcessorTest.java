package dev.election.spring.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.ConditionalOnLeader;
import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.spring.LeaderBoundLifecycleProcessor;
import dev.election.spring.lifecycle.LifecycleContext;
import dev.election.spring.lifecycle.RecordedLifecycle;
import dev.election.testing.HandDrivenElections;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.AutoConfigureAfter;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.context.support.GenericApplicationContext;

/** The lifecycle processor of a context is replaced where a bean is bound to leadership, and nowhere else. */
class LifecycleProcessorTest {

    private static final List<String> TRACE = new CopyOnWriteArrayList<>();

    private final HandDrivenElections elections = new HandDrivenElections();
    private final ApplicationContextRunner runner =
            LifecycleContext.runner().withBean(Elections.class, () -> elections);

    @BeforeEach
    void begins_with_nothing() {
        TRACE.clear();
    }

    @Test
    void without_leader_bound_beans_the_processor_is_that_of_spring_boot() {
        runner.withUserConfiguration(Guarded.class, Ordinary.class)
                .run(context -> assertThat(processor(context)).isExactlyInstanceOf(DefaultLifecycleProcessor.class));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                MarkedClass.class,
                MarkedSuperclass.class,
                MarkedReturnType.class,
                MarkedMethod.class,
                MarkedMethodOfHiddenLifecycle.class,
                MarkedLazily.class,
                MarkedByPostProcessor.class
            })
    void with_one_it_leaves_the_bean_to_leadership(Class<?> configuration) {
        runner.withUserConfiguration(configuration).run(LifecycleProcessorTest::leavesTheBeanToLeadership);
    }

    @Test
    void with_one_of_an_auto_configuration_that_is_applied_later_it_does() {
        runner.withConfiguration(AutoConfigurations.of(AppliedLater.class))
                .run(LifecycleProcessorTest::leavesTheBeanToLeadership);
    }

    @Test
    void with_one_in_an_application_whose_beans_are_lazy_it_does() {
        runner.withBean(BeanFactoryPostProcessor.class, LazyInitializationBeanFactoryPostProcessor::new)
                .withUserConfiguration(MarkedReturnType.class)
                .run(LifecycleProcessorTest::leavesTheBeanToLeadership);
    }

    @Test
    void the_beans_of_a_child_do_not_change_the_processor_of_its_parent() {
        runner.run(parent -> LifecycleContext.runner()
                .withParent(parent)
                .withUserConfiguration(MarkedClass.class)
                .run(child -> {
                    assertThat(processor(parent)).isExactlyInstanceOf(DefaultLifecycleProcessor.class);
                    assertThat(processor(child)).isInstanceOf(LeaderBoundLifecycleProcessor.class);
                }));
    }

    @Test
    void a_bean_whose_definition_hides_the_mark_is_rejected_before_it_starts() {
        runner.withUserConfiguration(HiddenMark.class).run(context -> {
            assertThat(context).getFailure().isInstanceOfSatisfying(ElectionConfigurationException.class, rejection -> {
                assertThat(rejection).hasMessageContaining("'bound'").hasMessageContaining("does not show this");
                assertThat(rejection.getAction()).contains("Put the annotation on its @Bean method");
            });
            assertThat(TRACE).isEmpty();
        });
    }

    @Test
    void a_bean_that_is_created_after_the_start_is_rejected_and_does_not_disturb_the_stop() {
        runner.run(context -> {
            GenericApplicationContext running = context.getSourceApplicationContext(GenericApplicationContext.class);
            running.registerBean("ordinary", RecordedLifecycle.class, () -> new RecordedLifecycle("x", 0, TRACE));
            running.registerBean("late", Typed.class, Typed::new);
            assertThat(running.getBean("ordinary")).isNotNull();
            assertThatThrownBy(() -> running.getBean("late"))
                    .hasRootCauseInstanceOf(ElectionConfigurationException.class)
                    .hasStackTraceContaining("'late' is marked leader-only, but it is created after the start");
        });
        assertThat(elections.calls()).containsExactly("start", "stop");
    }

    @Test
    void a_factory_bean_with_a_lifecycle_that_is_created_late_is_left_alone() {
        runner.withUserConfiguration(LazyFactory.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(StringBuilder.class)).hasToString("made");
        });
    }

    @Test
    void the_elections_stop_before_a_bean_that_was_added_after_the_start() {
        List<String> seen = new ArrayList<>();
        runner.run(context -> context.getSourceApplicationContext(GenericApplicationContext.class)
                .getBeanFactory()
                .registerSingleton("added", new RecordedLifecycle("added", SmartLifecycle.DEFAULT_PHASE, TRACE) {
                    @Override
                    public boolean isRunning() {
                        return true;
                    }

                    @Override
                    public void stop() {
                        seen.addAll(elections.calls());
                    }
                }));
        assertThat(seen).containsExactly("start", "stop");
    }

    private static void leavesTheBeanToLeadership(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        assertThat(processor(context)).isInstanceOf(LeaderBoundLifecycleProcessor.class);
        assertThat(TRACE).isEmpty();
        HandDrivenElections elections = (HandDrivenElections) context.getBean(Elections.class);
        elections.lead("feeds");
        assertThat(TRACE).containsExactly("start bound");
    }

    private static Object processor(AssertableApplicationContext context) {
        return context.getBean("lifecycleProcessor");
    }

    static class Guarded {
        @LeaderOnly
        public void work() {}
    }

    static class Ordinary extends RecordedLifecycle {
        Ordinary() {
            super("ordinary", 0, TRACE);
        }
    }

    @LeaderOnly("feeds")
    static class Typed extends RecordedLifecycle {
        Typed() {
            super("bound", 0, TRACE);
        }
    }

    static class Derived extends Typed {}

    @Configuration(proxyBeanMethods = false)
    static class MarkedClass {
        @Bean
        Typed bound() {
            return new Typed();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MarkedSuperclass {
        @Bean
        Derived bound() {
            return new Derived();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MarkedReturnType {
        @Bean
        static Typed bound() {
            return new Typed();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MarkedMethod {
        @Bean
        @ConditionalOnLeader(election = "feeds")
        SmartLifecycle bound() {
            return new RecordedLifecycle("bound", 0, TRACE);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MarkedMethodOfHiddenLifecycle {
        @Bean
        @LeaderOnly("feeds")
        Object bound() {
            return new RecordedLifecycle("bound", 0, TRACE);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MarkedLazily {
        @Bean
        @Lazy
        @LeaderOnly("feeds")
        SmartLifecycle bound() {
            return new RecordedLifecycle("bound", 0, TRACE);
        }
    }

    static class MarkedByPostProcessor implements BeanDefinitionRegistryPostProcessor {
        @Override
        public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
            registry.registerBeanDefinition("bound", new RootBeanDefinition(Typed.class));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @AutoConfigureAfter(name = "dev.election.autoconfigure.ElectionAopAutoConfiguration")
    static class AppliedLater {
        @Bean
        Typed bound() {
            return new Typed();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyFactory {
        @Bean
        @Lazy
        Factory made() {
            return new Factory();
        }
    }

    /** As that of a Quartz scheduler. */
    static class Factory extends RecordedLifecycle implements FactoryBean<StringBuilder> {
        Factory() {
            super("factory", 0, TRACE);
        }

        @Override
        public StringBuilder getObject() {
            return new StringBuilder("made");
        }

        @Override
        public Class<?> getObjectType() {
            return StringBuilder.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class HiddenMark {
        @Bean
        SmartLifecycle bound() {
            return new Typed();
        }
    }
}
