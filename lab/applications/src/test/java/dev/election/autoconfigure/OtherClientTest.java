package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.harness.Ports;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisCluster;
import dev.election.harness.SentinelGroup;
import dev.election.testing.Certificate;
import dev.election.testing.Lettuce;
import dev.election.testing.OtherServers;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The elections beside an application's client that is not Lettuce, and among several connection factories. */
@OtherServers
class OtherClientTest {

    private static final String LEASE = "election:{default}:lease";

    private static Certificate certificate;

    @AutoClose
    private static RedisServer server;

    private static int tlsPort;

    @BeforeAll
    static void start() throws Exception {
        certificate = Certificate.make();
        tlsPort = Ports.free();
        server = RedisServer.start(RedisBinary.REDIS_7_0, certificate.serverOptions(tlsPort));
        server.call(redis -> redis.aclSetuser(
                "application",
                AclSetuserArgs.Builder.on()
                        .addPassword("secret")
                        .allKeys()
                        .allChannels()
                        .allCommands()));
    }

    @Test
    void an_application_with_jedis_leads_where_its_jedis_is() {
        application()
                .withPropertyValues(
                        "spring.data.redis.client-type=jedis",
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + server.port(),
                        "spring.data.redis.username=application",
                        "spring.data.redis.password=secret",
                        "spring.data.redis.database=5")
                .run(context -> {
                    leads(context);
                    assertThat(context).hasSingleBean(JedisConnectionFactory.class);
                    assertThat(isLedAt(RedisURI.builder(server.uri())
                                    .withDatabase(5)
                                    .build()))
                            .isTrue();
                });
    }

    @Test
    void a_jedis_factory_of_the_application_tells_its_server_itself() {
        application()
                .withPropertyValues("spring.data.redis.port=1")
                .withBean(JedisConnectionFactory.class, () -> new JedisConnectionFactory(at(server.port())))
                .run(OtherClientTest::leads);
    }

    @Test
    void the_ssl_bundle_of_jedis_is_that_of_the_elections() {
        overTls("spring.data.redis.client-type=jedis").run(OtherClientTest::leads);
    }

    @Test
    void the_ssl_bundle_goes_with_a_factory_of_neither_client() {
        overTls()
                .withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
                .run(OtherClientTest::leads);
    }

    @Test
    void a_socket_factory_of_jedis_alone_is_refused() {
        JedisClientConfiguration client = JedisClientConfiguration.builder()
                .useSsl()
                .sslSocketFactory((SSLSocketFactory) SSLSocketFactory.getDefault())
                .build();
        application()
                .withBean(JedisConnectionFactory.class, () -> new JedisConnectionFactory(at(server.port()), client))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(ElectionConfigurationException.class, unsupported -> {
                            assertThat(unsupported).hasMessageContaining("a custom SSLSocketFactory");
                            assertThat(unsupported.getAction()).contains("spring.data.redis.ssl.bundle");
                        }));
    }

    @Test
    void a_factory_of_neither_client_leads_where_spring_boot_says() {
        other().withPropertyValues("spring.data.redis.url=redis://application:secret@127.0.0.1:" + server.port() + "/6")
                .run(context -> {
                    leads(context);
                    assertThat(isLedAt(RedisURI.builder(server.uri())
                                    .withDatabase(6)
                                    .build()))
                            .isTrue();
                });
    }

    @Test
    void a_factory_of_neither_client_with_sentinels() {
        try (SentinelGroup group = SentinelGroup.start(RedisBinary.REDIS_7_0, "of the Sentinels")) {
            String nodes = group.sentinels().stream()
                    .map(sentinel -> "127.0.0.1:" + sentinel.port())
                    .collect(Collectors.joining(","));
            other().withPropertyValues(
                            "spring.data.redis.sentinel.master=" + SentinelGroup.NAME,
                            "spring.data.redis.sentinel.nodes=" + nodes,
                            "spring.data.redis.sentinel.password=of the Sentinels",
                            "spring.data.redis.password=" + SentinelGroup.PASSWORD)
                    .run(OtherClientTest::leads);
        }
    }

    @Test
    void a_factory_of_neither_client_with_a_cluster() {
        try (RedisCluster cluster = RedisCluster.start()) {
            String nodes = Lettuce.uris(cluster).stream()
                    .map(uri -> uri.getHost() + ":" + uri.getPort())
                    .collect(Collectors.joining(","));
            other().withPropertyValues(
                            "spring.data.redis.cluster.nodes=" + nodes,
                            "spring.data.redis.password=" + RedisCluster.PASSWORD)
                    .run(OtherClientTest::leads);
        }
    }

    @Test
    void a_factory_of_neither_client_without_a_word_where_its_server_is_is_refused() {
        other().run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOfSatisfying(ElectionConfigurationException.class, unsupported -> {
                    assertThat(unsupported)
                            .hasMessageContaining("neither of Lettuce nor of Jedis")
                            .hasMessageContaining("no server is set below spring.data.redis");
                    assertThat(unsupported.getAction())
                            .contains("spring.data.redis (url, host, sentinel or cluster)")
                            .doesNotContain("client-type");
                }));
    }

    @Test
    void a_property_chooses_among_several_factories() {
        application()
                .withUserConfiguration(Several.class)
                .withPropertyValues("election.redis.connection-factory=second", "port=" + server.port())
                .run(OtherClientTest::leads);
    }

    @Test
    void a_factory_that_is_chosen_and_not_there_is_named_beside_those_that_are() {
        application()
                .withUserConfiguration(Several.class)
                .withPropertyValues("election.redis.connection-factory=third", "port=1")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(ElectionConfigurationException.class)
                        .hasMessageContaining("no RedisConnectionFactory bean named 'third'")
                        .hasMessageContaining("first")
                        .hasMessageContaining("second"));
    }

    private static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(ElectionContext.everything())
                .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
                .withPropertyValues("election.lease=2s");
    }

    private static ApplicationContextRunner other() {
        return application().withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class));
    }

    private static ApplicationContextRunner overTls(String... more) {
        return application()
                .withPropertyValues(
                        "spring.ssl.bundle.pem.redis.truststore.certificate=file:" + certificate.certificate(),
                        "spring.data.redis.ssl.bundle=redis",
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + tlsPort)
                .withPropertyValues(more);
    }

    private static RedisStandaloneConfiguration at(int port) {
        return new RedisStandaloneConfiguration("127.0.0.1", port);
    }

    private static void leads(AssertableApplicationContext context) throws InterruptedException {
        assertThat(context).hasNotFailed();
        assertThat(context.getBean(Elections.class).get("default").awaitLeadership(Duration.ofSeconds(20)))
                .isTrue();
    }

    private static boolean isLedAt(RedisURI database) {
        return Lettuce.<Long>call(database, redis -> redis.exists(LEASE)) == 1;
    }

    @Configuration(proxyBeanMethods = false)
    static class Several {

        @Bean
        @Primary
        JedisConnectionFactory first() {
            return new JedisConnectionFactory(at(1));
        }

        @Bean
        LettuceConnectionFactory second(Environment environment) {
            return new LettuceConnectionFactory(
                    at(environment.getRequiredProperty("port", Integer.class)),
                    LettuceClientConfiguration.defaultConfiguration());
        }
    }
}
