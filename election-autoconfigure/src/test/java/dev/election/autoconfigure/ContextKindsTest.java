package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.testing.HandDrivenElections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.Joinpoint;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.transaction.annotation.EnableTransactionManagement;

@ExtendWith(OutputCaptureExtension.class)
class ContextKindsTest {

    private final HandDrivenElections elections = new HandDrivenElections();

    @Test
    void a_servlet_application_is_guarded() {
        isGuarded(new WebApplicationContextRunner());
    }

    @Test
    void a_reactive_application_is_guarded() {
        isGuarded(new ReactiveWebApplicationContextRunner());
    }

    @Test
    void a_lazy_application_takes_part_and_is_guarded() {
        ElectionContext.inMemory()
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withBean(Elections.class, () -> elections)
                .withBean(Recorder.class)
                .withUserConfiguration(Guarded.class)
                .run(context -> {
                    assertThat(elections.calls()).containsExactly("start");
                    assertThat(context.getBean(Guarded.class).work()).isNull();
                    elections.lead("reports");
                    assertThat(context.getBean(Guarded.class).work()).isEqualTo("done");
                    assertThat(context.getBean(Recorder.class).events).hasSize(1);
                });
    }

    @Test
    void two_contexts_side_by_side_share_nothing() {
        HandDrivenElections others = new HandDrivenElections();
        ElectionContext.inMemory()
                .withBean(Elections.class, () -> elections)
                .withUserConfiguration(Guarded.class)
                .run(one -> ElectionContext.inMemory()
                        .withBean(Elections.class, () -> others)
                        .withUserConfiguration(Guarded.class)
                        .run(other -> {
                            elections.lead("reports");
                            assertThat(one.getBean(Guarded.class).work()).isEqualTo("done");
                            assertThat(other.getBean(Guarded.class).work()).isNull();
                        }));
    }

    @Test
    void a_child_context_uses_the_elections_of_its_parent_and_leaves_them_running() {
        ElectionContext.inMemory()
                .withBean(Elections.class, () -> elections)
                .withBean(Recorder.class)
                .run(parent -> {
                    int listenersOfTheParent = elections.get("before the child").listeners();
                    ElectionContext.inMemory()
                            .withParent(parent)
                            .withBean("childRecorder", Recorder.class)
                            .withUserConfiguration(Guarded.class)
                            .run(child -> {
                                assertThat(elections.find("reports")).isPresent();
                                assertThat(child.getBean(Guarded.class).work()).isNull();
                                elections.lead("reports");
                                assertThat(child.getBean(Guarded.class).work()).isEqualTo("done");
                                assertThat(child.getBean("childRecorder", Recorder.class).events)
                                        .hasSize(1);
                            });
                    assertThat(elections.calls()).containsExactly("start");
                    assertThat(elections.get("reports").listeners()).isEqualTo(listenersOfTheParent);
                    assertThat(parent.getBean(Recorder.class).events).hasSize(1);
                });
        assertThat(elections.calls()).containsExactly("start", "stop");
    }

    @Test
    void events_are_published_where_the_elections_are_and_not_in_a_child_context() {
        ElectionContext.inMemory()
                .withBean(Elections.class, () -> elections)
                .withBean("hears", EventRecorder.class)
                .run(parent -> ElectionContext.inMemory()
                        .withParent(parent)
                        .withBean("doesNotHear", EventRecorder.class)
                        .run(child -> {
                            elections.lead("reports");
                            assertThat(parent.getBean(EventRecorder.class).events)
                                    .hasSize(1);
                            assertThat(child.getBean("doesNotHear", EventRecorder.class).events)
                                    .isEmpty();
                        }));
    }

    @Test
    void no_bean_is_made_too_early_to_be_processed(CapturedOutput output) {
        ElectionContext.inMemory().withUserConfiguration(Realistic.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Guarded.class)).isNotNull();
            assertThat(output).doesNotContain("not eligible for getting processed");
        });
    }

    private void isGuarded(AbstractApplicationContextRunner<?, ?, ?> runner) {
        AtomicInteger runs = new AtomicInteger();
        runner.withConfiguration(ElectionContext.everything())
                .withBean(Elections.class, () -> elections)
                .withUserConfiguration(Guarded.class)
                .run(context -> {
                    assertThat(context.getBean(Guarded.class).work()).isNull();
                    elections.lead("reports");
                    assertThat(context.getBean(Guarded.class).work()).isEqualTo("done");
                    runs.incrementAndGet();
                });
        assertThat(runs).hasValue(1);
        assertThat(elections.calls()).containsExactly("start", "stop");
    }

    static class Guarded {
        @LeaderOnly("reports")
        public String work() {
            return "done";
        }
    }

    static class Recorder implements LeadershipListener {

        final List<LeadershipEvent> events = new CopyOnWriteArrayList<>();

        @Override
        public void onEvent(LeadershipEvent event) {
            events.add(event);
        }
    }

    static class EventRecorder {

        final List<LeadershipEvent> events = new CopyOnWriteArrayList<>();

        @EventListener
        void on(LeadershipEvent event) {
            events.add(event);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @EnableScheduling
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Realistic {

        @Bean
        Guarded guarded() {
            return new Guarded();
        }

        @Bean
        static DefaultAdvisorAutoProxyCreator creator() {
            return new DefaultAdvisorAutoProxyCreator();
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor advisor() {
            NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
            pointcut.setMappedName("work");
            return new DefaultPointcutAdvisor(pointcut, (MethodInterceptor) Joinpoint::proceed);
        }

        @Bean
        static BeanPostProcessor late() {
            return new BeanPostProcessor() {};
        }

        @EventListener
        void onEvent(LeadershipEvent event) {}
    }
}
