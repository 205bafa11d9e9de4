package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.ConditionalOnLeader;
import dev.election.ElectionConfigurationException;
import dev.election.LeaderOnly;
import dev.election.Otherwise;
import dev.election.testing.HandDrivenElections;
import dev.election.testing.PackagePrivateSchedule;
import dev.election.testing.PackagePrivateWork;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.scheduling.annotation.Scheduled;

class UnguardableTest {

    @Test
    void a_private_method_is_a_startup_error() {
        rejects(PrivateMethod.class, "PrivateMethod.work()", "private method", "public instance method");
    }

    @Test
    void a_static_method_is_a_startup_error() {
        rejects(StaticMethod.class, "StaticMethod.work()", "static method", "public instance method");
    }

    @Test
    void a_final_method_is_a_startup_error() {
        rejects(FinalMethod.class, "FinalMethod.work()", "final method", "Remove 'final' from the method");
    }

    @Test
    void a_final_method_of_a_guarded_type_is_a_startup_error() {
        rejects(FinalMethodOfType.class, "FinalMethodOfType.work()", "final method", "Remove 'final'");
    }

    @Test
    void a_final_class_is_a_startup_error() {
        rejects(FinalClass.class, "FinalClass.work()", "final class", "Remove 'final' from class");
    }

    @Test
    void a_primitive_result_that_may_be_skipped_is_a_startup_error() {
        rejects(PrimitiveResult.class, "PrimitiveResult.work()", "no int to return", "Otherwise.FAIL");
    }

    @Test
    void a_primitive_result_of_a_guarded_type_is_a_startup_error() {
        rejects(PrimitiveResultOfType.class, "isDone()", "no boolean to return", "If the guard is on the type");
    }

    @Test
    void a_primitive_result_that_fails_is_none() {
        new GuardContext().with(FailingPrimitive.class).run(context -> assertThat(context)
                .hasNotFailed());
    }

    @Test
    void a_package_private_method_of_another_package_is_a_startup_error() {
        rejects(OfAnotherPackage.class, "PackagePrivateWork.work()", "another package", "protected or public");
    }

    @ParameterizedTest
    @CsvSource({
        "PrivateScheduled, poll(), @Scheduled",
        "StaticScheduled, poll(), @Scheduled",
        "FinalScheduled, poll(), @Scheduled",
        "FinalClassWithSchedule, poll(), @Scheduled",
        "ScheduledOfAnotherPackage, PackagePrivateSchedule.poll(), @Scheduled",
        "PrivateEventListener, on(, @EventListener",
        "PrivateBrokerListener, on(, @BrokerListener",
        "PrivateHandler, on(, @Handler"
    })
    void a_method_of_a_guarded_type_that_the_framework_calls_past_the_guard_is_a_startup_error(
            String type, String method, String caller) throws ClassNotFoundException {
        rejects(
                Class.forName(UnguardableTest.class.getName() + "$" + type),
                method,
                caller + " would call it on every node",
                "neither static nor final");
    }

    @Test
    void a_primitive_result_of_a_package_private_method_of_a_guarded_type_is_a_startup_error() {
        rejects(PrimitivePackagePrivateResult.class, "isDone()", "no boolean to return", "make this method private");
    }

    @Test
    void what_a_guarded_type_hides_and_nobody_calls_from_outside_is_none() {
        new GuardContext().with(Helpers.class).run(context -> assertThat(context)
                .hasNotFailed());
    }

    @Test
    void a_guarded_type_without_a_method_to_guard_is_a_startup_error() {
        rejects(NothingToGuard.class, "NothingToGuard", "no method that a proxy can guard", "do the work");
    }

    @Test
    void a_guarded_configuration_that_only_makes_beans_is_a_startup_error() {
        rejects(
                OnlyBeans.class,
                "OnlyBeans",
                "no method that a proxy can guard",
                "@Bean methods that return a Lifecycle");
    }

    @Test
    void a_bean_that_a_post_processor_needs_is_a_startup_error() {
        rejects(NeededEarly.class, "'early'", "created before the post-processor", "ObjectProvider");
    }

    @Test
    void a_configuration_that_makes_a_post_processor_is_a_startup_error() {
        rejects(
                MakesProcessor.class,
                "MakesProcessor",
                "created before the post-processor",
                "@Bean method of that post-processor static");
    }

    @Test
    void a_bean_that_is_fetched_before_all_processors_is_a_startup_error() {
        rejects(FetchedEarly.class, "'early'", "created before the post-processor", "ObjectProvider");
    }

    @Test
    void a_lazy_bean_is_not_made_to_see_whether_it_is_guarded() {
        new GuardContext().with(LazyWork.class).run(context -> {
            assertThat(context.getSourceApplicationContext().getBeanFactory().containsSingleton("lazy"))
                    .isFalse();
            assertThat(context.getBean(FailingPrimitive.class)).isInstanceOf(Advised.class);
        });
    }

    @Test
    void
            the_other_invalid_guards_are_named_though_some_beans_can_t_be_looked_at_and_some_may_be_called_by_interfaces() {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory() {
            @Override
            public @Nullable Class<?> getType(String name, boolean allowFactoryBeanInit) {
                return switch (name) {
                    case "gone" -> throw new NoClassDefFoundError("optional/Dependency");
                    case "broken" -> throw new IllegalStateException("as the test wants it");
                    default -> super.getType(name, allowFactoryBeanInit);
                };
            }
        };
        beans.registerBeanDefinition("gone", new RootBeanDefinition(FailingPrimitive.class));
        beans.registerBeanDefinition("broken", new RootBeanDefinition(FailingPrimitive.class));
        beans.registerBeanDefinition("faced", new RootBeanDefinition(FinalWithInterface.class));
        beans.registerBeanDefinition("static", new RootBeanDefinition(StaticMethod.class));
        HandDrivenElections elections = new HandDrivenElections();
        LeaderGuardPostProcessor guards =
                new LeaderGuardPostProcessor(() -> new GuardReader(text -> text, () -> elections), type -> false);
        guards.setBeanFactory(beans);
        assertThatThrownBy(() -> guards.postProcessAfterInitialization(new PrivateMethod(), "private"))
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("PrivateMethod.work()")
                .hasMessageContaining("StaticMethod.work()")
                .hasMessageNotContaining("FinalWithInterface");
    }

    private static void rejects(Class<?> bean, String place, String problem, String action) {
        assertThat(new GuardContext().with(bean).failure())
                .isInstanceOfSatisfying(ElectionConfigurationException.class, rejection -> {
                    assertThat(rejection).hasMessageContaining(place).hasMessageContaining(problem);
                    // Of several problems the message says what to do about each.
                    assertThat(rejection.getMessage() + rejection.getAction()).contains(action);
                });
    }

    static class PrivateMethod {
        @LeaderOnly
        private void work() {}
    }

    static class StaticMethod {
        @LeaderOnly
        public static void work() {}
    }

    static class FinalMethod {
        @LeaderOnly
        public final void work() {}
    }

    @LeaderOnly
    static class FinalMethodOfType {
        public final void work() {}
    }

    static final class FinalClass {
        @LeaderOnly
        public void work() {}
    }

    static final class FinalWithInterface implements Runnable {
        @Override
        @LeaderOnly
        public void run() {}
    }

    static class PrimitiveResult {
        @LeaderOnly
        public int work() {
            return 1;
        }
    }

    @LeaderOnly
    static class PrimitiveResultOfType {
        public void work() {}

        public boolean isDone() {
            return true;
        }
    }

    static class FailingPrimitive {
        @ConditionalOnLeader(otherwise = Otherwise.FAIL)
        public int work() {
            return 1;
        }
    }

    static class OfAnotherPackage extends PackagePrivateWork {}

    @LeaderOnly
    static class NothingToGuard {
        private void hidden() {}
    }

    @LeaderOnly
    static class PrivateScheduled {
        public void work() {}

        @Scheduled(fixedDelay = 1000)
        private void poll() {}
    }

    @LeaderOnly
    static class StaticScheduled {
        public void work() {}

        @Scheduled(fixedDelay = 1000)
        @Scheduled(cron = "0 0 2 * * *")
        static void poll() {}
    }

    @LeaderOnly
    static class FinalScheduled {
        public void work() {}

        @Scheduled(fixedDelay = 1000)
        final void poll() {}
    }

    @LeaderOnly
    static class PrivateEventListener {
        public void work() {}

        @EventListener
        private void on(ContextClosedEvent event) {}
    }

    @LeaderOnly
    static class PrivateBrokerListener {
        public void work() {}

        @BrokerListener
        private void on(String message) {}
    }

    @LeaderOnly
    static class PrivateHandler {
        public void work() {}

        @Handler
        private void on(String message) {}
    }

    @LeaderOnly
    static class ScheduledOfAnotherPackage extends PackagePrivateSchedule {
        public void work() {}
    }

    @LeaderOnly
    static final class FinalClassWithSchedule {
        @Scheduled(fixedDelay = 1000)
        void poll() {}
    }

    @LeaderOnly
    static class PrimitivePackagePrivateResult {
        public void work() {}

        boolean isDone() {
            return true;
        }
    }

    @LeaderOnly
    static class Helpers {
        public void work() {}

        private static boolean isDone() {
            return true;
        }

        final int count() {
            return 1;
        }

        @Override
        @SuppressWarnings({"deprecation", "removal", "Finalize"})
        protected void finalize() {}
    }

    /** As the listeners of brokers are called. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface BrokerListener {}

    /** As the handlers of brokers are marked, which are called neither listeners nor scheduled. */
    @Retention(RetentionPolicy.RUNTIME)
    @MessageMapping
    @interface Handler {}

    @LeaderOnly
    @Configuration(proxyBeanMethods = false)
    static class OnlyBeans {
        @Bean
        public String bean() {
            return "bean";
        }
    }

    static class Processor implements BeanPostProcessor, Ordered {
        @Override
        public int getOrder() {
            return 0;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NeededEarly {
        @Bean
        FailingPrimitive early() {
            return new FailingPrimitive();
        }

        @Bean
        static Processor processor(FailingPrimitive early) {
            return new Processor();
        }
    }

    @Configuration
    static class MakesProcessor {
        @LeaderOnly
        public void work() {}

        @Bean
        Processor processor() {
            return new Processor();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FetchedEarly {
        @Bean
        FailingPrimitive early() {
            return new FailingPrimitive();
        }

        @Bean
        static BeanFactoryPostProcessor fetching() {
            return beans -> beans.getBean("early");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyWork {
        @Bean
        @Lazy
        FailingPrimitive lazy() {
            return new FailingPrimitive();
        }
    }
}
