package dev.election.redis.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.election.StoreProblem;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisCluster;
import dev.election.harness.SentinelGroup;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Lettuce;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.OtherServers;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/** The store reaches Redis as the application does, and neither is in the other's way. */
@OtherServers
class ApplicationAccessTest {

    /** No pause of the machine ends it. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private static final String KEY = Nodes.PREFIX + ":{default}:lease";

    @Test
    void a_standalone_server_with_user_and_database() {
        withServer((application, server) -> {
            try (Nodes nodes = Nodes.start(2, LEASE, SpringDataClient.like(application))) {
                nodes.awaitLeader();
                RedisURI database =
                        RedisURI.builder(server.uri()).withDatabase(3).build();
                assertThat(Lettuce.<Long>call(database, redis -> redis.exists(KEY)))
                        .isOne();
                assertThat(server.<Long>call(redis -> redis.exists(KEY))).isZero();
            }
        });
    }

    @Test
    void a_process_opens_two_connections() {
        withServer((application, server) -> {
            try (Nodes nodes = Nodes.start(1, LEASE, SpringDataClient.like(application))) {
                Node leader = nodes.awaitLeader();
                Nodes.await("the subscription to the election")
                        .until(() -> clients(server).stream().anyMatch(client -> client.contains(" sub=1 ")));
                nodes.assertThatLeadershipIsRenewed(leader, leader.token().orElseThrow());
                assertThat(clients(server)).hasSize(2);
            }
        });
    }

    @Test
    void a_blocking_command_of_the_application_on_its_shared_connection_delays_no_renewal() {
        // A request may take a sixth of it, which is longer than a pause of the machine.
        Duration lease = Duration.ofSeconds(15);
        withServer((application, server) -> {
            try (Nodes nodes = Nodes.start(2, lease, SpringDataClient.like(application))) {
                Node leader = nodes.awaitLeader();
                nodes.awaitRecovery();
                nodes.journal().turnPage();
                CompletableFuture<?> blocked = CompletableFuture.runAsync(() -> block(application));
                Nodes.await("the blocking command")
                        .until(() -> clients(server).stream().anyMatch(client -> client.contains("cmd=blpop")));
                nodes.assertThatLeadershipIsRenewed(leader, leader.token().orElseThrow());
                assertThat(blocked).isNotDone();
                assertThat(nodes.journal().problems()).isEmpty();
                RedisURI database =
                        RedisURI.builder(server.uri()).withDatabase(3).build();
                Lettuce.call(database, redis -> redis.lpush("queue", "done"));
                blocked.join();
            }
        });
    }

    @Test
    void the_applications_long_timeout_does_not_hide_a_server_that_hangs() {
        withServer((application, server) -> {
            try (Nodes nodes = Nodes.start(2, LEASE, SpringDataClient.like(application))) {
                Node leader = nodes.awaitLeader();
                server.freeze();
                try {
                    nodes.awaitProblem(StoreProblem.TIMED_OUT, List.of(leader));
                    assertThat(leader.isLeader())
                            .as("long before the lease ends")
                            .isTrue();
                } finally {
                    server.thaw();
                }
                nodes.awaitRecovery();
            }
        });
    }

    @Test
    void a_store_that_is_closed_leaves_the_application_its_connections_and_threads() {
        withServer((application, server) -> {
            try (Nodes nodes = Nodes.start(2, LEASE, SpringDataClient.like(application))) {
                nodes.awaitLeader();
            }
            Nodes.await("the end of the store's connections")
                    .until(() -> clients(server).isEmpty());
            try (RedisConnection connection = application.getConnection()) {
                assertThat(connection.ping()).isEqualTo("PONG");
            }
        });
    }

    @Test
    void sentinels_with_password_and_database() {
        try (SentinelGroup group = SentinelGroup.start(RedisBinary.REDIS_6_2)) {
            RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration().master(SentinelGroup.NAME);
            group.sentinels().forEach(sentinel -> sentinels.sentinel("127.0.0.1", sentinel.port()));
            sentinels.setPassword(SentinelGroup.PASSWORD);
            sentinels.setDatabase(3);
            with(client -> new LettuceConnectionFactory(sentinels, client), application -> {
                // Long enough for a failover: see SentinelTest.
                try (Nodes nodes = Nodes.start(2, LEASE, SpringDataClient.like(application))) {
                    nodes.awaitLeader();
                    RedisURI database = RedisURI.builder(Lettuce.uri(group.first()))
                            .withDatabase(3)
                            .build();
                    assertThat(Lettuce.<Long>call(database, redis -> redis.exists(KEY)))
                            .isOne();
                    nodes.awaitRecovery();
                    group.failOver();
                    group.awaitPrimary(group.second());
                    RedisURI next = RedisURI.builder(Lettuce.uri(group.second()))
                            .withDatabase(3)
                            .build();
                    Nodes.await("a leader on the new primary").until(() -> nodes.awaitLeader()
                            .token()
                            .map(Object::toString)
                            .filter(token ->
                                    token.equals(Lettuce.<String>call(next, redis -> redis.hget(KEY, "token"))))
                            .isPresent());
                }
            });
        }
    }

    @Test
    void sentinels_whose_login_only_the_applications_provider_knows_are_listened_to() {
        try (SentinelGroup group = SentinelGroup.start(RedisBinary.REDIS_6_2, "of the Sentinels")) {
            RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration().master(SentinelGroup.NAME);
            group.sentinels().forEach(sentinel -> sentinels.sentinel("127.0.0.1", sentinel.port()));
            LettuceClientConfiguration client = LettuceClientConfiguration.builder()
                    .redisCredentialsProviderFactory(new Logins())
                    .build();
            RedisAccess access = SpringDataClient.like(new LettuceConnectionFactory(sentinels, client));
            try (Nodes nodes = Nodes.start(1, LEASE, access)) {
                nodes.awaitLeader();
                group.sentinels().forEach(sentinel -> Nodes.await("the watch")
                        .until(() -> sentinel.listeners().size() == 1));
            }
        }
    }

    @Test
    void a_cluster_with_password() {
        try (RedisCluster cluster = RedisCluster.start()) {
            RedisClusterConfiguration nodesOfCluster = new RedisClusterConfiguration();
            Lettuce.uris(cluster).forEach(uri -> nodesOfCluster.clusterNode(uri.getHost(), uri.getPort()));
            nodesOfCluster.setPassword(RedisPassword.of(RedisCluster.PASSWORD));
            with(client -> new LettuceConnectionFactory(nodesOfCluster, client), application -> {
                try (Nodes nodes = Nodes.start(2, LEASE, SpringDataClient.like(application))) {
                    nodes.awaitLeader();
                    assertThat(Lettuce.<Long>call(cluster.owner(KEY), redis -> redis.exists(KEY)))
                            .isOne();
                }
            });
        }
    }

    @Test
    void a_factory_that_hides_its_server_is_refused_instead_of_leading_elsewhere() {
        RedisConfiguration bare = new RedisStandaloneConfiguration("redis.example", 6380);
        LettuceConnectionFactory factory = new LettuceConnectionFactory(bare);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SpringDataClient.like(factory))
                .withMessageContaining("redis.example:6380");
    }

    @Test
    void a_factory_for_a_fixed_primary_and_its_replicas_is_refused_instead_of_leading_on_this_host() {
        RedisStaticMasterReplicaConfiguration fixed =
                new RedisStaticMasterReplicaConfiguration("redis.example", 6380).node("redis.example", 6381);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SpringDataClient.like(new LettuceConnectionFactory(fixed)))
                .withMessageContaining("RedisStaticMasterReplicaConfiguration");
    }

    private static void withServer(BiConsumer<LettuceConnectionFactory, RedisServer> test) {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0)) {
            server.call(redis -> redis.aclSetuser(
                    "application",
                    AclSetuserArgs.Builder.on()
                            .addPassword("secret")
                            .allKeys()
                            .allChannels()
                            .allCommands()));
            RedisStandaloneConfiguration one = new RedisStandaloneConfiguration("127.0.0.1", server.port());
            one.setUsername("application");
            one.setPassword("secret");
            one.setDatabase(3);
            with(client -> new LettuceConnectionFactory(one, client), application -> test.accept(application, server));
        }
    }

    /** With client settings that would be wrong for a lease. */
    private static void with(
            Function<LettuceClientConfiguration, LettuceConnectionFactory> factory,
            Consumer<LettuceConnectionFactory> test) {
        ClientResources resources = DefaultClientResources.create();
        LettuceClientConfiguration client = LettuceClientConfiguration.builder()
                .commandTimeout(Duration.ofSeconds(60))
                .clientResources(resources)
                .build();
        LettuceConnectionFactory application = factory.apply(client);
        application.afterPropertiesSet();
        application.start();
        try {
            test.accept(application);
        } finally {
            application.destroy();
            resources.shutdown(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private static void block(LettuceConnectionFactory application) {
        try (RedisConnection connection = application.getConnection()) {
            connection.listCommands().bLPop(60, "queue".getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The connections of the application and of its store. */
    private static List<String> clients(RedisServer server) {
        return server.call(redis -> redis.clientList())
                .lines()
                .filter(client -> client.contains(" user=application "))
                .toList();
    }

    private static final class Logins implements RedisCredentialsProviderFactory {

        @Override
        public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration configuration) {
            return RedisCredentialsProvider.from(() -> RedisCredentials.just(null, SentinelGroup.PASSWORD));
        }

        @Override
        public RedisCredentialsProvider createSentinelCredentialsProvider(RedisSentinelConfiguration configuration) {
            return RedisCredentialsProvider.from(() -> RedisCredentials.just(null, "of the Sentinels"));
        }
    }
}
