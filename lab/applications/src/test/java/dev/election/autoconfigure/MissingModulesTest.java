package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.FencedApplication;
import com.example.RoutedApplication;
import dev.election.LeaderOnly;
import dev.election.testing.JavaProcess;
import dev.election.testing.KillsProcesses;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.quartz.autoconfigure.QuartzAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Applications that use a module which is not on their class path. Each is a process of its own. */
@KillsProcesses
class MissingModulesTest {

    private static final String STARTED = FencedApplication.STARTED;

    @Test
    void a_Quartz_scheduler_without_election_quartz_fails_the_start_and_would_fire_on_every_node() throws Exception {
        assertThat(JavaProcess.outputOf(WithScheduler.class, "election-quartz"))
                .contains(
                        "The application has the Quartz scheduler 'quartzScheduler', which would run its jobs on every node")
                .contains("Add dev.election:election-quartz, or set election.quartz.enabled=false")
                .doesNotContain(STARTED);
    }

    @Test
    void a_scheduler_that_shall_fire_on_every_node_is_left_alone() throws Exception {
        assertThat(JavaProcess.outputOf(WithUnguardedScheduler.class, "election-quartz"))
                .contains(STARTED);
    }

    @Test
    void a_guarded_Quartz_job_without_election_quartz_fails_the_start() throws Exception {
        assertThat(JavaProcess.outputOf(WithGuardedJob.class, "election-quartz"))
                .contains("The Quartz job 'guarded' has @LeaderOnly, which nothing would read")
                .contains("Add dev.election:election-quartz")
                .doesNotContain(STARTED);
    }

    @Test
    void properties_of_Quartz_without_election_quartz_fail_the_start() throws Exception {
        assertThat(JavaProcess.outputOf(WithQuartzProperty.class, "election-quartz"))
                .contains("The application sets properties of election.quartz.*")
                .contains("Add dev.election:election-quartz")
                .doesNotContain(STARTED);
    }

    @Test
    void a_fenced_method_without_election_fencing_fails_the_start() throws Exception {
        assertThat(JavaProcess.outputOf(FencedApplication.class, "election-fencing"))
                .contains("The bean 'accounts' uses an annotation of dev.election.fencing.*, which nothing would read")
                .contains("Add dev.election:election-fencing")
                .doesNotContain(STARTED);
    }

    @Test
    void properties_of_the_bridge_without_election_redis_bridge_fail_the_start() throws Exception {
        assertThat(JavaProcess.outputOf(WithBridgeProperty.class, "election-redis-bridge"))
                .contains("The application sets properties of election.bridge.*")
                .contains("Add dev.election:election-redis-bridge")
                .doesNotContain(STARTED);
    }

    @Test
    void a_handler_for_the_leader_without_election_routing_fails_the_start() throws Exception {
        assertThat(JavaProcess.outputOf(RoutedApplication.class, "election-routing"))
                .contains("uses an annotation of dev.election.routing.*, which nothing would read")
                .contains("Add dev.election:election-routing")
                .doesNotContain(STARTED);
    }

    @Test
    void properties_of_routes_without_election_routing_fail_the_start() throws Exception {
        assertThat(JavaProcess.outputOf(WithRoute.class, "election-routing"))
                .contains("The application sets properties of election.routing.*, which nothing would read, since")
                .contains("Add dev.election:election-routing")
                .doesNotContain(STARTED);
    }

    @Test
    void an_application_that_uses_none_of_them_starts_without_them() throws Exception {
        assertThat(JavaProcess.outputOf(
                        WithNothing.class,
                        "election-quartz",
                        "election-fencing",
                        "election-routing",
                        "election-redis-bridge"))
                .contains(STARTED);
    }

    private static void start(Class<?> application, String... properties) {
        SpringApplication starting = new SpringApplication(application);
        starting.setWebApplicationType(WebApplicationType.NONE);
        starting.run(Stream.concat(Stream.of("--spring.data.redis.port=1"), Stream.of(properties))
                        .toArray(String[]::new))
                .close();
        System.out.println(STARTED);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithScheduler {
        public static void main(String[] arguments) {
            start(WithScheduler.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithUnguardedScheduler {
        public static void main(String[] arguments) {
            start(WithUnguardedScheduler.class, "--election.quartz.enabled=false");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = QuartzAutoConfiguration.class)
    static class WithGuardedJob {
        public static void main(String[] arguments) {
            start(WithGuardedJob.class);
        }

        @Bean
        GuardedJob guarded() {
            return new GuardedJob();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = QuartzAutoConfiguration.class)
    static class WithRoute {
        public static void main(String[] arguments) {
            start(WithRoute.class, "--election.routing.routes[0].path=/admin/**");
        }
    }

    @LeaderOnly
    static class GuardedJob implements Job {
        @Override
        public void execute(JobExecutionContext context) {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = QuartzAutoConfiguration.class)
    static class WithQuartzProperty {
        public static void main(String[] arguments) {
            start(WithQuartzProperty.class, "--election.quartz.election=reports");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = QuartzAutoConfiguration.class)
    static class WithBridgeProperty {
        public static void main(String[] arguments) {
            start(WithBridgeProperty.class, "--election.bridge.key=SCHEDULER_MASTER");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = QuartzAutoConfiguration.class)
    static class WithNothing {
        public static void main(String[] arguments) {
            start(WithNothing.class);
        }
    }
}
