package dev.election.redis.autoconfigure;

import dev.election.harness.Ports;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Certificate;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A store over an encrypted connection. */
@RealTime
class TlsTest {

    private static final Duration LEASE = Duration.ofSeconds(2);

    private static Certificate certificate;

    @AutoClose
    private static RedisServer server;

    private static int port;

    @BeforeAll
    static void start() throws Exception {
        certificate = Certificate.make();
        port = Ports.free();
        server = RedisServer.start(RedisBinary.REDIS_7_0, certificate.serverOptions(port));
    }

    @Test
    void a_URI_may_ask_for_TLS() {
        RedisURI uri = RedisURI.Builder.redis("127.0.0.1", port)
                .withSsl(true)
                .withVerifyPeer(SslVerifyMode.NONE)
                .build();
        try (Nodes nodes = Nodes.start(2, LEASE, RedisAccess.at(uri))) {
            nodes.awaitLeader();
        }
    }

    @Test
    void the_certificates_that_the_application_trusts_are_trusted() {
        LettuceConnectionFactory application = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port),
                LettuceClientConfiguration.builder()
                        .clientOptions(ClientOptions.builder()
                                .sslOptions(SslOptions.builder()
                                        .trustManager(certificate.certificate().toFile())
                                        .build())
                                .build())
                        .useSsl()
                        .build());
        application.afterPropertiesSet();
        application.start();
        try (Nodes nodes = Nodes.start(2, LEASE, SpringDataClient.like(application))) {
            nodes.awaitLeader();
        } finally {
            application.destroy();
        }
    }
}
