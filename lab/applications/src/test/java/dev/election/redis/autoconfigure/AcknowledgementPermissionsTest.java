package dev.election.redis.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.Election;
import dev.election.Elections;
import dev.election.harness.Ports;
import dev.election.harness.RedisBinary;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Whoever asks replicas to acknowledge hears at the start that the Redis user may not do so. */
@ExtendWith(OutputCaptureExtension.class)
@RealTime
class AcknowledgementPermissionsTest {

    @ParameterizedTest
    @CsvSource({"1,WAIT", "all,WAIT", "all,INFO"})
    void a_user_who_may_not_run_what_it_takes_fails_the_start(
            String replicas, CommandType missing, CapturedOutput output) {
        try (RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0)) {
            redis.call(commands -> commands.aclSetuser(
                    "limited",
                    AclSetuserArgs.Builder.on()
                            .addPassword("secret")
                            .allKeys()
                            .allChannels()
                            .allCommands()
                            .removeCommand(missing)));
            assertThatThrownBy(() -> start(
                    redis.port(),
                    "election.redis.acknowledging-replicas=" + replicas,
                    "spring.data.redis.username=limited",
                    "spring.data.redis.password=secret"));
            assertThat(output)
                    .contains("this node could never lead: the Redis user may not run " + missing)
                    .contains("Grant the Redis user " + missing + ", or remove election.redis.acknowledging-replicas");
        }
    }

    @Test
    void a_value_that_is_neither_a_number_nor_all_fails_the_start(CapturedOutput output) {
        assertThatThrownBy(() -> start(Ports.free(), "election.redis.acknowledging-replicas=most"));
        assertThat(output)
                .contains("A number of replicas or 'all' is needed, but it is 'most'")
                .contains("Set a valid value for election.redis.acknowledging-replicas.");
    }

    @Test
    void an_application_starts_without_its_redis() {
        try (ConfigurableApplicationContext context = start(Ports.free(), "election.redis.acknowledging-replicas=1")) {
            assertThat(context.getBean(Elections.class).get(Election.DEFAULT).isLeader())
                    .isFalse();
        }
    }

    @Test
    void too_few_replicas_are_a_problem_whose_action_names_the_property(CapturedOutput output) {
        try (RedisServer primary = RedisServer.start(RedisBinary.REDIS_7_0);
                ConfigurableApplicationContext context =
                        start(primary.port(), "election.redis.acknowledging-replicas=1")) {
            context.getBean(Elections.class).get(Election.DEFAULT);
            Nodes.await("the problem")
                    .until(() -> output.getOut().contains("set election.redis.acknowledging-replicas to the number"));
        }
    }

    @Test
    void an_application_leads_with_a_replica() {
        try (RedisServer primary = RedisServer.start(RedisBinary.REDIS_7_0, "--repl-diskless-sync-delay", "0");
                RedisServer replica = RedisServer.start(
                        RedisBinary.REDIS_7_0, "--replicaof", "127.0.0.1", Integer.toString(primary.port()));
                ConfigurableApplicationContext context =
                        start(primary.port(), "election.redis.acknowledging-replicas=all")) {
            Election election = context.getBean(Elections.class).get(Election.DEFAULT);
            Nodes.await("a leader whose lease " + replica + " has acknowledged").until(election::isLeader);
        }
    }

    private static ConfigurableApplicationContext start(int port, String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .properties("spring.data.redis.port=" + port, "election.lease=5s")
                .properties(properties)
                .run();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
