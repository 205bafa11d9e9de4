package dev.election.spring.bound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.spring.LeaderBoundLifecycleProcessor;
import dev.election.spring.lifecycle.LifecycleContext;
import dev.election.spring.lifecycle.RecordedLifecycle;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans that live only while this node leads. */
@ExtendWith(OutputCaptureExtension.class)
class LeaderBoundTest {

    private static final List<String> TRACE = new CopyOnWriteArrayList<>();

    private final HandDrivenElections elections = new HandDrivenElections();
    private final HandDrivenElection election = elections.get("feeds");
    private final ApplicationContextRunner runner =
            LifecycleContext.runner().withBean(Elections.class, () -> elections);

    @BeforeEach
    void begins_with_nothing() {
        TRACE.clear();
    }

    @Test
    void they_start_with_leadership_in_the_order_of_their_phases_and_stop_in_reverse() {
        runner.withUserConfiguration(Beans.class).run(context -> {
            assertThat(TRACE).containsExactly("start ordinary");
            election.lead();
            assertThat(TRACE).containsExactly("start ordinary", "start early", "start middle", "start late");
            TRACE.clear();
            election.resign();
            assertThat(TRACE).containsExactly("stop late", "stop middle", "stop early");
            election.follow();
            assertThat(TRACE).hasSize(3);
        });
    }

    @Test
    void they_start_again_if_the_leader_goes_on() {
        runner.withUserConfiguration(Typed.class).run(context -> {
            election.lead();
            election.resign();
            election.resume();
            assertThat(TRACE).containsExactly("start typed", "stop typed", "start typed");
            assertThat(election.runningWork()).isEqualTo(1);
        });
    }

    @Test
    void they_stop_when_leadership_is_lost_and_start_when_it_comes_back() {
        runner.withUserConfiguration(Typed.class).run(context -> {
            election.lead();
            election.follow();
            election.lead();
            assertThat(TRACE).containsExactly("start typed", "stop typed", "start typed");
        });
    }

    @Test
    void each_counts_as_running_work_while_it_is_up() {
        runner.withUserConfiguration(Beans.class).run(context -> {
            election.lead();
            assertThat(election.runningWork()).isEqualTo(3);
            election.resign();
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void they_stop_with_their_context_and_ordinary_beans_live_as_ever() {
        runner.withUserConfiguration(Beans.class).run(context -> {
            election.lead();
            TRACE.clear();
        });
        assertThat(TRACE).containsExactly("stop late", "stop middle", "stop early", "stop ordinary");
        assertThat(elections.calls()).containsExactly("start", "stop");
    }

    @Test
    void those_of_a_child_context_stop_with_it_while_its_parent_goes_on_to_lead() {
        runner.run(parent -> {
            LifecycleContext.runner()
                    .withParent(parent)
                    .withUserConfiguration(Typed.class)
                    .run(child -> {
                        assertThat(TRACE).isEmpty();
                        election.lead();
                        assertThat(TRACE).containsExactly("start typed");
                    });
            assertThat(TRACE).containsExactly("start typed", "stop typed");
            assertThat(election.isLeader()).isTrue();
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void a_context_that_is_restarted_while_this_node_leads_starts_them_again() {
        runner.withUserConfiguration(Typed.class).run(context -> {
            election.lead();
            context.getSourceApplicationContext().stop();
            election.lead();
            context.getSourceApplicationContext().start();
            assertThat(TRACE).containsExactly("start typed", "stop typed", "start typed");
        });
    }

    @Test
    void one_that_cannot_start_is_logged_and_the_others_start(CapturedOutput output) {
        runner.withUserConfiguration(Failing.class).run(context -> {
            election.lead();
            assertThat(TRACE).containsExactly("start before", "start after");
            assertThat(output)
                    .contains("Failed to start the bean 'broken' although this node leads the election 'feeds'");
            election.follow();
            assertThat(TRACE).containsExactly("start before", "start after", "stop after", "stop before");
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void switched_off_they_are_ordinary_beans() {
        new ApplicationContextRunner().withUserConfiguration(Typed.class).run(context -> assertThat(TRACE)
                .containsExactly("start typed"));
    }

    @Test
    @Timeout(10)
    void the_patience_with_ordinary_beans_on_shutdown_is_that_of_the_application() {
        runner.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=50ms")
                .withUserConfiguration(Typed.class, Stubborn.class)
                .run(context -> assertThat(context).hasSingleBean(LeaderBoundLifecycleProcessor.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        @LeaderOnly("feeds")
        SmartLifecycle late() {
            return new RecordedLifecycle("late", 30, TRACE);
        }

        @Bean
        @LeaderOnly("feeds")
        SmartLifecycle early() {
            return new RecordedLifecycle("early", 10, TRACE);
        }

        @Bean
        @LeaderOnly("${no.such.property:feeds}")
        static RecordedLifecycle middle() {
            return new RecordedLifecycle("middle", 20, TRACE);
        }

        @Bean
        SmartLifecycle ordinary() {
            return new RecordedLifecycle("ordinary", 0, TRACE);
        }
    }

    @LeaderOnly("feeds")
    static class Typed extends RecordedLifecycle {
        Typed() {
            super("typed", 0, TRACE);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Failing {

        @Bean
        @LeaderOnly("feeds")
        SmartLifecycle before() {
            return new RecordedLifecycle("before", 1, TRACE);
        }

        @Bean
        @LeaderOnly("feeds")
        SmartLifecycle broken() {
            return new RecordedLifecycle("broken", 2, new CopyOnWriteArrayList<>()) {
                @Override
                public void start() {
                    throw new IllegalStateException("broken");
                }
            };
        }

        @Bean
        @LeaderOnly("feeds")
        SmartLifecycle after() {
            return new RecordedLifecycle("after", 3, TRACE);
        }
    }

    static class Stubborn extends RecordedLifecycle {
        Stubborn() {
            super("stubborn", 0, TRACE);
        }

        @Override
        public void stop(Runnable callback) {
            // Never says that it has stopped.
        }
    }
}
