package dev.election.redis.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeadershipEvent;
import dev.election.StoreProblem;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Lettuce;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import reactor.core.publisher.Mono;

/** Who may not do what an election needs hears of it once, and leads as soon as it is allowed. */
@RealTime
class CredentialsTest {

    /** Where nobody leads, or its end is waited for. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** No pause of the machine ends it. */
    private static final Duration LONG_LEASE = Duration.ofSeconds(6);

    @AutoClose
    private RedisServer server;

    private RedisURI admin;

    @BeforeEach
    void start() {
        server = RedisServer.start(RedisBinary.REDIS_7_0);
        admin = RedisURI.builder(server.uri())
                .withAuthentication("admin", "of all")
                .build();
        server.call(redis -> redis.aclSetuser(
                "admin",
                AclSetuserArgs.Builder.on()
                        .addPassword("of all")
                        .allKeys()
                        .allChannels()
                        .allCommands()));
    }

    /** A client that loads its classes may be too slow for a short lease, and nothing but the refusals is to be seen here. */
    @BeforeAll
    static void warmUp() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                Nodes nodes = Nodes.start(2, LEASE, RedisAccess.at(server.uri()))) {
            nodes.awaitLeader();
        }
    }

    @Test
    void without_a_password_where_one_is_wanted_nobody_leads_until_none_is_wanted() {
        setPassword("secret");
        try (Nodes nodes = Nodes.start(2, LEASE, RedisAccess.at(server.uri()))) {
            nodes.awaitProblem(StoreProblem.UNAUTHENTICATED, nodes.all());
            setPassword("");
            assertThatItPasses(nodes, StoreProblem.UNAUTHENTICATED);
        }
    }

    @Test
    void with_the_wrong_password_nobody_leads_until_it_is_the_right_one() {
        setPassword("secret");
        RedisURI wrong = RedisURI.builder(server.uri())
                .withPassword("wrong".toCharArray())
                .build();
        try (Nodes nodes = Nodes.start(2, LEASE, RedisAccess.at(wrong))) {
            nodes.awaitProblem(StoreProblem.UNAUTHENTICATED, nodes.all());
            nodes.assertThatNothingMoreIsAnnounced(LEASE.multipliedBy(2));
            setPassword("wrong");
            assertThatItPasses(nodes, StoreProblem.UNAUTHENTICATED);
        }
    }

    @Test
    void with_an_unknown_user_nobody_leads_until_the_user_is_known() {
        try (Nodes nodes = Nodes.start(2, LEASE, RedisAccess.at(asUser()))) {
            nodes.awaitProblem(StoreProblem.UNAUTHENTICATED, nodes.all());
            allow(all());
            assertThatItPasses(nodes, StoreProblem.UNAUTHENTICATED);
        }
    }

    /** Some are refused by themselves, others within a script, after its first write or before. */
    @ParameterizedTest
    @EnumSource(
            value = CommandType.class,
            names = {"EVALSHA", "TIME", "HMGET", "HSET", "PEXPIRE"})
    void a_user_that_may_not_run_a_command_leads_once_it_may(CommandType command) {
        allow(all().removeCommand(command));
        try (Nodes nodes = Nodes.start(2, LEASE, RedisAccess.at(asUser()))) {
            nodes.awaitProblem(StoreProblem.FORBIDDEN, nodes.all());
            allow(AclSetuserArgs.Builder.addCommand(command));
            assertThatItPasses(nodes, StoreProblem.FORBIDDEN);
        }
    }

    @Test
    void a_user_that_may_not_touch_the_keys_leads_once_it_may() {
        allow(AclSetuserArgs.Builder.on()
                .addPassword("secret")
                .keyPattern("other:*")
                .allChannels()
                .allCommands());
        try (Nodes nodes = Nodes.start(2, LEASE, RedisAccess.at(asUser()))) {
            nodes.awaitProblem(StoreProblem.FORBIDDEN, nodes.all());
            allow(AclSetuserArgs.Builder.keyPattern(Nodes.PREFIX + ":*"));
            assertThatItPasses(nodes, StoreProblem.FORBIDDEN);
        }
    }

    @Test
    void a_leader_whose_user_loses_a_permission_stops_to_lead_and_leads_again_once_it_is_back() {
        allow(all());
        try (Nodes nodes = Nodes.start(2, LEASE, RedisAccess.at(asUser()))) {
            nodes.awaitLeader();
            nodes.awaitRecovery();
            allow(AclSetuserArgs.Builder.removeCommand(CommandType.HSET));
            nodes.awaitNoLeader();
            allow(AclSetuserArgs.Builder.addCommand(CommandType.HSET));
            assertThatItPasses(nodes, StoreProblem.FORBIDDEN);
        }
    }

    @Test
    void a_password_that_changes_under_a_leader_does_not_disturb_it() {
        try (Nodes nodes = Nodes.start(2, LONG_LEASE, RedisAccess.at(server.uri()))) {
            Node leader = nodes.awaitLeader();
            setPassword("another");
            nodes.assertThatLeadershipIsRenewed(leader, leader.token().orElseThrow());
            assertThat(nodes.journal().answeredProblems()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource
    void a_provider_of_credentials_that_takes_its_time_holds_up_no_renewal(
            BiFunction<RedisURI, RedisCredentialsProvider, RedisAccess> access) throws Exception {
        allow(all());
        AtomicBoolean isSlow = new AtomicBoolean();
        // The client asks twice to say where it connects to, and then to log in.
        CountDownLatch asked = new CountDownLatch(3);
        CountDownLatch over = new CountDownLatch(1);
        RedisCredentialsProvider provider = () -> Mono.fromCallable(() -> {
            if (isSlow.get()) {
                boolean isToLogIn = asked.getCount() <= 1;
                asked.countDown();
                over.await(isToLogIn ? 20 : 3, TimeUnit.SECONDS);
            }
            return RedisCredentials.just("application", "secret");
        });
        try (Nodes nodes = Nodes.start(1, LONG_LEASE, access.apply(server.uri(), provider))) {
            Node leader = nodes.awaitLeader();
            Nodes.await("a connection for events").until(this::someoneListens);
            isSlow.set(true);
            Lettuce.call(admin, redis -> redis.clientKill(KillArgs.Builder.typePubsub()));
            assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
            nodes.assertThatLeadershipIsRenewed(leader, leader.token().orElseThrow());
            isSlow.set(false);
            over.countDown();
        }
    }

    static Stream<Named<BiFunction<RedisURI, RedisCredentialsProvider, RedisAccess>>>
            a_provider_of_credentials_that_takes_its_time_holds_up_no_renewal() {
        return Stream.of(
                Named.of("of a URI", CredentialsTest::atUri),
                Named.of("of the application", CredentialsTest::likeFactory));
    }

    private boolean someoneListens() {
        return !Lettuce.call(admin, redis -> redis.pubsubChannels()).isEmpty();
    }

    private static RedisAccess atUri(RedisURI server, RedisCredentialsProvider provider) {
        return RedisAccess.at(
                RedisURI.builder(server).withAuthentication(provider).build());
    }

    private static RedisAccess likeFactory(RedisURI server, RedisCredentialsProvider provider) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration(server.getHost(), server.getPort()),
                LettuceClientConfiguration.builder()
                        .redisCredentialsProviderFactory(new RedisCredentialsProviderFactory() {
                            @Override
                            public RedisCredentialsProvider createCredentialsProvider(
                                    RedisConfiguration configuration) {
                                return provider;
                            }
                        })
                        .build());
        return SpringDataClient.like(factory);
    }

    private static void assertThatItPasses(Nodes nodes, StoreProblem problem) {
        nodes.awaitRecovery();
        nodes.awaitLeader();
        assertThat(nodes.journal().answeredProblems())
                .as("%s", nodes.journal().entries())
                .containsExactly(problem);
        assertThat(nodes.journal().events(LeadershipEvent.StoreRecovered.class)).isNotEmpty();
    }

    private RedisURI asUser() {
        return RedisURI.builder(server.uri())
                .withAuthentication("application", "secret")
                .build();
    }

    private static AclSetuserArgs all() {
        return AclSetuserArgs.Builder.on()
                .addPassword("secret")
                .allKeys()
                .allChannels()
                .allCommands();
    }

    private void allow(AclSetuserArgs rules) {
        Lettuce.call(admin, redis -> redis.aclSetuser("application", rules));
    }

    private void setPassword(String password) {
        Lettuce.call(admin, redis -> redis.configSet("requirepass", password));
    }
}
