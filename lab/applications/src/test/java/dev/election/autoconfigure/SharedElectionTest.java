package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.autoconfigure.internal.actuate.LeaderHealthIndicator;
import dev.election.harness.RedisBinary;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Two applications on one Redis, both with the default key prefix and the default election. */
@ExtendWith(OutputCaptureExtension.class)
@RealTime
class SharedElectionTest {

    @AutoClose
    private final RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0);

    @Test
    void each_warns_once_of_the_other_and_shows_it_in_its_health(CapturedOutput output) {
        try (ConfigurableApplicationContext shop = start("spring.application.name=shop");
                ConfigurableApplicationContext bank = start("spring.application.name=bank")) {
            Nodes.await("both know it").until(() -> sharedWith(shop) != null && sharedWith(bank) != null);
            assertThat(sharedWith(shop)).containsEntry("applications", Set.of("bank"));
            assertThat(sharedWith(bank)).containsEntry("applications", Set.of("shop"));
            assertThat(sharedWith(bank).get("action")).asString().contains("election.redis.key-prefix");
            assertThat(health(shop).getStatus()).isEqualTo(Status.UP);
            Nodes.await("both have said so").until(() -> warnings(output).size() == 2);
            assertThat(warnings(output))
                    .anyMatch(line ->
                            line.contains("The application 'bank' also takes part in the election 'default' of 'shop'"))
                    .anyMatch(line ->
                            line.contains("The application 'shop' also takes part in the election 'default' of 'bank'"))
                    .allMatch(line -> line.contains("Set a different election.redis.key-prefix"));
        }
    }

    @Test
    void when_the_other_has_gone_the_health_does_not_show_it_any_more(CapturedOutput output) {
        // The place of a candidate is kept for three leases: longer than a pause of the machine, and not for long.
        String lease = "election.lease=2s";
        try (ConfigurableApplicationContext shop = start("spring.application.name=shop", lease)) {
            try (ConfigurableApplicationContext bank = start("spring.application.name=bank", lease)) {
                Nodes.await("it is known").until(() -> sharedWith(shop) != null && sharedWith(bank) != null);
            }
            Nodes.await("it has gone").until(() -> sharedWith(shop) == null);
            assertThat(warnings(output)).hasSize(2);
        }
    }

    @Test
    void replicas_of_one_application_and_applications_with_prefixes_of_their_own_are_no_others(CapturedOutput output) {
        try (ConfigurableApplicationContext shop = start("spring.application.name=shop");
                ConfigurableApplicationContext replica = start("spring.application.name=shop");
                ConfigurableApplicationContext bank =
                        start("spring.application.name=bank", "election.redis.key-prefix=bank")) {
            for (ConfigurableApplicationContext each : List.of(shop, replica, bank)) {
                Election election = each.getBean(Elections.class).get(Election.DEFAULT);
                Nodes.await("it knows its leader").until(() -> election.leader().isPresent());
            }
            assertThat(warnings(output)).isEmpty();
            assertThat(sharedWith(shop)).isNull();
        }
    }

    @Test
    void applications_without_a_name_are_told_apart_by_their_base_packages(CapturedOutput output) {
        try (ConfigurableApplicationContext one = start();
                ConfigurableApplicationContext replica = start();
                ConfigurableApplicationContext other = start(OfBank.class)) {
            Nodes.await("all know it").until(() -> sharedWith(one) != null && sharedWith(other) != null);
            assertThat(sharedWith(one)).containsEntry("applications", Set.of("com.example.bank"));
            assertThat(sharedWith(other)).containsEntry("applications", Set.of("dev.election.autoconfigure"));
            Nodes.await("all have said so").until(() -> warnings(output).size() >= 2);
            assertThat(warnings(output))
                    .anyMatch(line -> line.contains("The application 'com.example.bank' also takes part"));
        }
    }

    @Test
    void an_application_without_guarded_work_leaves_the_election_to_one_that_has_some(CapturedOutput output) {
        try (ConfigurableApplicationContext service = start(Unguarded.class);
                ConfigurableApplicationContext caller = start()) {
            assertThat(service.getBean(Elections.class).all()).isEmpty();
            Job job = caller.getBean(Job.class);
            Nodes.await("its work is done").until(() -> "done".equals(job.run()));
            assertThat(warnings(output)).isEmpty();
        }
    }

    private ConfigurableApplicationContext start(String... properties) {
        return start(Application.class, properties);
    }

    private ConfigurableApplicationContext start(Class<?> application, String... properties) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .properties("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port())
                .properties("election.lease=6s", "spring.main.banner-mode=off", "spring.jmx.enabled=false")
                .properties("spring.data.redis.repositories.enabled=false")
                .properties(properties)
                .run();
    }

    private static Health health(ConfigurableApplicationContext application) {
        return application.getBean(LeaderHealthIndicator.class).health();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> sharedWith(ConfigurableApplicationContext application) {
        Map<?, ?> details = (Map<?, ?>) health(application).getDetails().get(Election.DEFAULT);
        return (Map<String, Object>) details.get("sharedWith");
    }

    private static List<String> warnings(CapturedOutput output) {
        return output.getAll()
                .lines()
                .filter(line -> line.contains(" WARN ") && line.contains("The application '"))
                .toList();
    }

    static class Job {
        @LeaderOnly
        public String run() {
            return "done";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Job.class)
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage(basePackages = "com.example.bank")
    @EnableAutoConfiguration
    @Import(Job.class)
    static class OfBank {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Unguarded {}
}
