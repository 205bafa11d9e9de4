package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.redis.autoconfigure.ElectionRedisAutoConfiguration;
import dev.election.testing.HandDrivenElections;
import dev.election.testing.JavaProcess;
import dev.election.testing.KillsProcesses;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Applications on whose class path neither Lettuce is nor what Lettuce brings along. Each is a process of its own. */
@KillsProcesses
class WithoutLettuceTest {

    private static final String[] LETTUCE_AND_ITS_LIBRARIES = {"lettuce-core", "reactor-", "reactive-streams"};

    @Test
    void guards_fail_at_the_start_and_say_what_to_add() throws Exception {
        assertThat(run(Guarded.class))
                .contains("The application has leader guards for the elections [default]")
                .contains("io.lettuce:lettuce-core is not on the class path")
                .contains("Add io.lettuce:lettuce-core")
                .doesNotContain("NoClassDefFoundError");
    }

    @Test
    void elections_that_are_injected_fail_at_the_start_and_say_what_to_add() throws Exception {
        assertThat(run(Injected.class))
                .contains("needs a bean of type Elections, and there is none because there is no lease store")
                .contains("Add io.lettuce:lettuce-core")
                .doesNotContain("NoClassDefFoundError");
    }

    @Test
    void methods_are_guarded_by_elections_of_the_application() throws Exception {
        assertThat(run(OwnElections.class)).contains("skipped: null").contains("led: done");
    }

    @Test
    void without_the_store_over_Redis_guards_say_what_brings_it() throws Exception {
        assertThat(JavaProcess.outputOf(GuardedWithoutStore.class, "election-redis"))
                .contains("The application has leader guards for the elections [default]")
                .contains("no module with a store of leases is on the class path")
                .contains("Add a starter with one, such as election-spring-boot-starter")
                .doesNotContain("NoClassDefFoundError");
    }

    private static String run(Class<?> application) throws Exception {
        return JavaProcess.outputOf(application, LETTUCE_AND_ITS_LIBRARIES);
    }

    private static ConfigurableApplicationContext start(Class<?> application) {
        SpringApplication starting = new SpringApplication(application);
        starting.setWebApplicationType(WebApplicationType.NONE);
        return starting.run();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DataRedisAutoConfiguration.class,
        ElectionAutoConfiguration.class,
        ElectionAopAutoConfiguration.class,
        ElectionParticipationAutoConfiguration.class,
        PropertyPlaceholderAutoConfiguration.class
    })
    static class WithoutStore {}

    @Configuration(proxyBeanMethods = false)
    @Import(WithoutStore.class)
    @ImportAutoConfiguration(ElectionRedisAutoConfiguration.class)
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @Import({WithoutStore.class, Job.class})
    static class GuardedWithoutStore {
        public static void main(String[] arguments) {
            start(GuardedWithoutStore.class).close();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Application.class, Job.class})
    static class Guarded {
        public static void main(String[] arguments) {
            start(Guarded.class).close();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Application.class)
    static class Injected {

        @Bean
        String needy(Elections elections) {
            return elections.node();
        }

        public static void main(String[] arguments) {
            start(Injected.class).close();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Application.class, Job.class})
    static class OwnElections {

        @Bean
        HandDrivenElections elections() {
            return new HandDrivenElections();
        }

        public static void main(String[] arguments) {
            try (ConfigurableApplicationContext context = start(OwnElections.class)) {
                Job job = context.getBean(Job.class);
                System.out.println("skipped: " + job.work().join());
                context.getBean(HandDrivenElections.class).lead("default");
                System.out.println("led: " + job.work().join());
            }
        }
    }

    static class Job {
        @LeaderOnly
        CompletableFuture<String> work() {
            return CompletableFuture.completedFuture("done");
        }
    }
}
