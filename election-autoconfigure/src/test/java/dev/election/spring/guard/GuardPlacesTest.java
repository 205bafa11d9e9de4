package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.election.ConditionalOnLeader;
import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.NotLeaderException;
import dev.election.Otherwise;
import dev.election.spring.calls.CallObserver;
import dev.election.spring.calls.CallOutcome;
import dev.election.spring.calls.CallerContext;
import dev.election.testing.StartableBean;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

class GuardPlacesTest {

    private final GuardContext context = new GuardContext();

    @Test
    void only_the_marked_method_of_a_bean_is_guarded() {
        context.with(OneMethod.class).withBean(OneMethod.class, bean -> {
            assertThat(bean.guarded()).isNull();
            assertThat(bean.plain()).isEqualTo("done");
        });
    }

    @Test
    void all_methods_of_a_marked_type_are_guarded_but_private_static_and_final_ones() {
        context.with(WholeType.class).withBean(WholeType.class, bean -> {
            assertThat(bean.work()).isNull();
            assertThat(bean.ofPackage()).isNull();
            assertThat(bean.inherited()).isNull();
            assertThat(bean.last()).isEqualTo("done");
            assertThat(WholeType.common()).isEqualTo("done");
            assertThat(bean.toString()).isEqualTo("whole");
            assertThat(bean).isEqualTo(bean).hasSameHashCodeAs(bean);
        });
    }

    @Test
    void a_package_private_scheduled_method_of_a_marked_type_runs_on_the_leader_only() {
        context.with(Scheduling.class, ScheduledType.class, Outcomes.class).withBean(Outcomes.class, outcomes -> {
            Awaitility.await().until(() -> outcomes.called.contains(CallOutcome.SKIPPED));
            assertThat(outcomes.runs).hasValue(0);
            context.elections.lead("default");
            Awaitility.await().until(() -> outcomes.runs.get() > 0);
        });
    }

    @Test
    void a_method_overrides_what_its_type_says() {
        context.with(StricterMethod.class).withBean(StricterMethod.class, bean -> {
            assertThat(bean.lenient()).isNull();
            assertThatExceptionOfType(NotLeaderException.class).isThrownBy(bean::strict);
        });
    }

    @Test
    void a_guard_on_the_method_of_an_interface_holds_for_its_implementation() {
        context.with(OfInterface.class)
                .withBean(MarkedMethod.class, bean -> assertThat(bean.work()).isNull());
    }

    @Test
    void the_nearest_annotation_wins_whatever_its_kind() {
        context.with(NearerAnnotation.class)
                .withBean(NearerAnnotation.class, bean -> assertThatExceptionOfType(NotLeaderException.class)
                        .isThrownBy(bean::work));
    }

    @Test
    void a_guard_on_an_interface_holds_for_all_methods_of_its_implementation() {
        context.with(OfMarkedType.class)
                .withBean(OfMarkedType.class, bean -> assertThat(bean.work()).isNull());
    }

    @Test
    void a_guard_on_a_superclass_holds_for_inherited_own_and_overridden_methods() {
        context.with(Child.class).withBean(Child.class, bean -> {
            assertThat(bean.work()).isNull();
            assertThat(bean.own()).isNull();
            assertThat(bean.overridden()).isNull();
        });
    }

    @Test
    void a_guard_on_an_overridden_method_holds_for_the_one_that_overrides_it() {
        context.with(Overriding.class)
                .withBean(Overriding.class, bean -> assertThat(bean.guarded()).isNull());
    }

    @Test
    void an_annotation_of_ones_own_may_carry_a_guard() {
        context.with(Custom.class).withBean(Custom.class, bean -> {
            assertThat(bean.plain()).isNull();
            assertThatExceptionOfType(NotLeaderException.class)
                    .isThrownBy(bean::aliased)
                    .withMessageContaining("'nightly'");
        });
    }

    @Test
    void protected_and_package_private_methods_are_guarded() {
        context.with(Visibility.class).withBean(Visibility.class, bean -> {
            assertThat(bean.ofPackage()).isNull();
            assertThat(bean.inherited()).isNull();
        });
    }

    @Test
    void a_generic_method_is_guarded_through_every_way_to_call_it_and_returns_nothing_of_its_own_type() {
        context.with(Concrete.class).withBean(Concrete.class, bean -> {
            Job<?> general = bean;
            assertThat(bean.run()).isEmpty();
            assertThat(general.run()).isEqualTo(Optional.empty());
            context.elections.lead("default");
            assertThat(general.run()).isEqualTo(Optional.of("done"));
            assertThat(context.elections.get("default").admissions()).isOne();
        });
    }

    @Test
    void a_guarded_method_inherited_from_a_class_that_is_not_public_is_guarded() {
        context.with(PublicJob.class).withBean(PublicJob.class, bean -> {
            HiddenJob base = bean;
            assertThat(bean.run()).isNull();
            assertThat(base.run()).isNull();
            context.elections.lead("default");
            assertThat(bean.run()).isEqualTo("done");
            assertThat(context.elections.get("default").admissions()).isOne();
        });
    }

    @Test
    void a_guard_on_a_type_holds_for_what_it_inherits_from_a_class_that_is_not_public() {
        context.with(MarkedJob.class)
                .withBean(MarkedJob.class, bean -> assertThat(bean.plain()).isNull());
    }

    @Test
    void a_marked_method_of_a_lifecycle_is_guarded() {
        context.with(LifecycleWithJob.class).withBean(LifecycleWithJob.class, bean -> {
            assertThat(bean.isRunning()).isTrue();
            assertThat(bean.job()).isNull();
        });
    }

    static class OneMethod {
        @LeaderOnly
        public String guarded() {
            return "done";
        }

        public String plain() {
            return "done";
        }
    }

    @LeaderOnly
    static class WholeType {
        public String work() {
            return "done";
        }

        String ofPackage() {
            return "done";
        }

        protected String inherited() {
            return "done";
        }

        final String last() {
            return "done";
        }

        static String common() {
            return "done";
        }

        @Override
        public String toString() {
            return "whole";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    @LeaderOnly
    static class ScheduledType {

        private final Outcomes outcomes;

        ScheduledType(Outcomes outcomes) {
            this.outcomes = outcomes;
        }

        @Scheduled(fixedDelay = 10)
        void poll() {
            outcomes.runs.incrementAndGet();
        }
    }

    static class Outcomes implements CallObserver {

        final AtomicInteger runs = new AtomicInteger();
        final Set<CallOutcome> called = ConcurrentHashMap.newKeySet();

        @Override
        public void called(String election, CallOutcome outcome, @Nullable FencingToken token, CallerContext caller) {
            called.add(outcome);
        }
    }

    @LeaderOnly
    static class StricterMethod {
        public String lenient() {
            return "done";
        }

        @ConditionalOnLeader(otherwise = Otherwise.FAIL)
        public String strict() {
            return "done";
        }
    }

    interface MarkedMethod {
        @LeaderOnly
        String work();
    }

    static class OfInterface implements MarkedMethod {
        @Override
        public String work() {
            return "done";
        }
    }

    static class NearerAnnotation implements MarkedMethod {
        @Override
        @ConditionalOnLeader(otherwise = Otherwise.FAIL)
        public String work() {
            return "done";
        }
    }

    @LeaderOnly
    interface MarkedType {}

    static class OfMarkedType implements MarkedType {
        public String work() {
            return "done";
        }
    }

    @LeaderOnly
    static class Parent {
        public String work() {
            return "done";
        }

        public String overridden() {
            return "done";
        }
    }

    static class Child extends Parent {
        public String own() {
            return "done";
        }

        @Override
        public String overridden() {
            return "done";
        }
    }

    static class Overriding extends OneMethod {
        @Override
        public String guarded() {
            return "done";
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @LeaderOnly
    @interface Plain {}

    @Retention(RetentionPolicy.RUNTIME)
    @ConditionalOnLeader(otherwise = Otherwise.FAIL)
    @interface Aliased {
        @AliasFor(annotation = ConditionalOnLeader.class, attribute = "election")
        String of();
    }

    static class Custom {
        @Plain
        public String plain() {
            return "done";
        }

        @Aliased(of = "nightly")
        public String aliased() {
            return "done";
        }
    }

    static class Visibility {
        @LeaderOnly
        String ofPackage() {
            return "done";
        }

        @LeaderOnly
        protected String inherited() {
            return "done";
        }
    }

    interface Job<T> {
        T run();
    }

    static class Concrete implements Job<Optional<String>> {
        @Override
        @LeaderOnly
        public Optional<String> run() {
            return Optional.of("done");
        }
    }

    static class LifecycleWithJob extends StartableBean {

        @LeaderOnly
        public String job() {
            return "done";
        }
    }

    static class HiddenJob {
        @LeaderOnly
        public String run() {
            return "done";
        }

        public String plain() {
            return "done";
        }
    }

    public static class PublicJob extends HiddenJob {}

    @LeaderOnly
    public static class MarkedJob extends HiddenJob {}
}
