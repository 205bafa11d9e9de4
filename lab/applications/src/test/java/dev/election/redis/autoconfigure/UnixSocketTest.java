package dev.election.redis.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.RedisBinary;
import dev.election.harness.TemporaryFolders;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A Redis on the same machine, reached without TCP. */
@ExtendWith(OutputCaptureExtension.class)
class UnixSocketTest {

    private Path socket;

    @AutoClose
    private RedisServer server;

    @BeforeEach
    void start() {
        // Paths of sockets must be short.
        socket = TemporaryFolders.create("er").resolve("s");
        server = RedisServer.start(RedisBinary.REDIS_7_0, "--unixsocket", socket.toString());
    }

    @Test
    void a_uri_with_a_socket_leads_to_it_without_a_warning(CapturedOutput output) {
        assertThatOneLeads(
                RedisAccess.at(RedisURI.Builder.socket(socket.toString()).build()), output);
    }

    @Test
    void the_socket_of_the_application_leads_to_it_without_a_warning(CapturedOutput output) {
        LettuceConnectionFactory application =
                new LettuceConnectionFactory(new RedisSocketConfiguration(socket.toString()));
        application.afterPropertiesSet();
        assertThatOneLeads(SpringDataClient.like(application), output);
    }

    private static void assertThatOneLeads(RedisAccess access, CapturedOutput output) {
        try (Nodes nodes = Nodes.start(2, Duration.ofSeconds(2), access)) {
            Node leader = nodes.awaitLeader();
            assertThat(leader.isLeader()).isTrue();
        }
        assertThat(output.getAll().lines().filter(line -> line.contains(" WARN ") && line.contains("io.netty")))
                .isEmpty();
    }
}
