package com.example.sample.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.example.sample.testing.SampleMachine;
import com.example.sample.testing.SampleProcess;
import dev.election.harness.RedisProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.mock.env.MockEnvironment;

/** The Redis that a replica starts: there while that replica runs, and no longer. */
@Tag("kills-processes")
class EmbeddedRedisTest {

    private static final Duration SOON = Duration.ofSeconds(15);

    @RegisterExtension
    final SampleMachine machine = new SampleMachine();

    @Test
    void Ctrl_C_ends_the_replica_first_which_still_gives_its_leadership_up_and_then_Redis() {
        SampleProcess replica = machine.start();
        replica.awaitLeadership(Duration.ofSeconds(60));
        ProcessHandle redis = machine.redis();

        replica.terminateForeground();

        assertThat(replica.awaitEnd(SOON)).isTrue();
        replica.console().awaitEnd(SOON);
        assertThat(replica.console().all("This node lost the leadership of 'default' (STOPPED)"))
                .hasSize(1);
        SampleMachine.awaitEnd(redis, SOON);
    }

    @Test
    void Redis_ends_with_its_replica_even_if_that_is_killed() {
        SampleProcess starter = machine.start();
        starter.console().await("an embedded one", Duration.ofSeconds(60));
        SampleProcess other = machine.start();
        other.console().await("the one that answers", Duration.ofSeconds(60));
        ProcessHandle redis = machine.redis();

        other.kill();
        assertThat(machine.redis()).isEqualTo(redis);
        starter.kill();

        SampleMachine.awaitEnd(redis, SOON);
    }

    @Test
    void a_Redis_that_was_there_before_is_used() {
        try (RedisProcess foreign = machine.startForeignRedis()) {
            prepare("spring.data.redis.port=" + machine.redisPort());

            assertThat(ProcessHandle.current().children().map(ProcessHandle::pid))
                    .containsExactly(foreign.pid());
        }
    }

    @Test
    void a_port_that_no_Redis_can_have_is_told_at_once() throws IOException {
        try (Socket taken = new Socket()) {
            taken.bind(new InetSocketAddress("127.0.0.1", machine.redisPort()));

            assertThatIllegalStateException()
                    .isThrownBy(() -> prepare("spring.data.redis.port=" + machine.redisPort()))
                    .withMessageStartingWith(
                            "No Redis answers at port %d, and the embedded one did not start", machine.redisPort())
                    .withMessageEndingWith("by spring.data.redis.host and spring.data.redis.port");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.data.redis.host=redis.example",
                "spring.data.redis.url=redis://redis.example",
                "spring.data.redis.sentinel.master=mymaster",
                "spring.data.redis.cluster.nodes=redis.example:6379"
            })
    void none_is_started_where_the_application_names_a_Redis_elsewhere(String elsewhere) {
        prepare("spring.data.redis.port=" + machine.redisPort(), elsewhere);

        // Had it started one, it would have waited until that answers.
        assertThat(SampleMachine.redisAt(machine.redisPort())).isEmpty();
    }

    /** What happens in a replica before it connects. */
    private static void prepare(String... properties) {
        MockEnvironment environment = new MockEnvironment();
        for (String property : properties) {
            int sign = property.indexOf('=');
            environment.setProperty(property.substring(0, sign), property.substring(sign + 1));
        }
        new EmbeddedRedis()
                .onApplicationEvent(new ApplicationEnvironmentPreparedEvent(
                        new DefaultBootstrapContext(), new SpringApplication(), new String[0], environment));
    }
}
