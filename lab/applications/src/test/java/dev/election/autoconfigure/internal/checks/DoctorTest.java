package dev.election.autoconfigure.internal.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeaderOnly;
import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.checks.Finding;
import dev.election.harness.Conditions;
import dev.election.harness.Conditions.Flow;
import dev.election.harness.Link;
import dev.election.harness.Ports;
import dev.election.harness.RedisBinary;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.protocol.CommandType;
import jakarta.annotation.PostConstruct;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Each warning, caused for real: an application, and a Redis that is as it should not be. */
@ExtendWith(OutputCaptureExtension.class)
@RealTime
class DoctorTest {

    /** The answer to {@code TIME}: seconds and microseconds. */
    private static final Pattern TIME = Pattern.compile("\\*2\r\n\\$10\r\n(\\d{10})\r\n");

    @AutoClose
    private static final RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0);

    @Test
    void nothing_is_said_where_nothing_is_wrong(CapturedOutput output) {
        try (ConfigurableApplicationContext context = start(redis.port(), Innocent.class)) {
            awaitEndOfChecks(context, output);
            assertThat(output.getAll().lines().filter(line -> line.contains(" WARN ")))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"allkeys-lru", "volatile-ttl"})
    void a_redis_that_may_evict_what_elections_remember(String policy, CapturedOutput output) {
        redis.call(commands -> commands.configSet("maxmemory-policy", policy));
        try (ConfigurableApplicationContext context = start(redis.port())) {
            awaitWarning(output, "its maxmemory-policy is " + policy + ". Set maxmemory-policy to noeviction");
            awaitEndOfChecks(context, output);
            assertThat(output).containsOnlyOnce(policy + ".");
        } finally {
            redis.call(commands -> commands.configSet("maxmemory-policy", "noeviction"));
        }
    }

    @Test
    void a_primary_that_goes_on_without_its_replicas(CapturedOutput output) {
        try (RedisServer primary = RedisServer.start(RedisBinary.REDIS_7_0);
                RedisServer replica =
                        RedisServer.start(RedisBinary.REDIS_7_0, "--replicaof", "127.0.0.1 " + primary.port())) {
            Nodes.await("the replica is connected")
                    .until(() -> primary.<String>call(commands -> commands.info("replication"))
                            .contains("connected_slaves:1"));
            try (ConfigurableApplicationContext context = start(primary.port())) {
                awaitWarning(output, "until the partition ends. Set min-replicas-to-write to at least 1");
            }
            try (ConfigurableApplicationContext context =
                    start(primary.port(), Innocent.class, "election.redis.acknowledging-replicas=1")) {
                awaitEndOfChecks(context, output);
                assertThat(output).containsOnlyOnce("min-replicas-to-write");
            }
            primary.call(commands -> commands.configSet("min-replicas-to-write", "1"));
            Nodes.await("the primary has counted its replicas")
                    .until(() -> primary.<String>call(commands -> commands.info("replication"))
                            .contains("min_slaves_good_slaves:1"));
            try (ConfigurableApplicationContext context = start(primary.port(), Innocent.class)) {
                awaitEndOfChecks(context, output);
                assertThat(output).containsOnlyOnce("min-replicas-to-write");
            }
        }
    }

    @Test
    void a_user_who_may_not_ask_which_server_answers(CapturedOutput output) {
        redis.call(commands -> commands.aclSetuser(
                "blind",
                AclSetuserArgs.Builder.on()
                        .addPassword("secret")
                        .allKeys()
                        .allChannels()
                        .allCommands()
                        .removeCommand(CommandType.INFO)));
        try (ConfigurableApplicationContext context = start(
                redis.port(),
                Innocent.class,
                "spring.data.redis.username=blind",
                "spring.data.redis.password=secret")) {
            awaitWarning(
                    output, "before it may lead, since Redis may have lost acknowledged writes. Grant the Redis user");
        }
    }

    @Test
    void a_user_who_may_not_keep_the_history(CapturedOutput output) {
        try (ConfigurableApplicationContext context = start("forgetful", CommandType.LINDEX, CommandType.LTRIM)) {
            awaitWarning(
                    output,
                    "The Redis user may not run LINDEX, LTRIM: the history of leaderships grows without bound; every"
                            + " past leadership is shown as EXPIRED, however it ended. Grant the Redis user LINDEX"
                            + " LTRIM on the keys");
            awaitEndOfChecks(context, output);
            assertThat(output).containsOnlyOnce("may not run");
        }
    }

    @Test
    void a_user_who_may_remember_nothing_and_tell_nobody(CapturedOutput output) {
        try (ConfigurableApplicationContext context = start("mute", CommandType.LPUSH, CommandType.PUBLISH)) {
            awaitWarning(
                    output, "The Redis user may not run LPUSH: the store records no history of leaderships. Grant");
            awaitWarning(output, "may not run PUBLISH on the channels of the elections: after a release nobody leads");
            assertThat(context.isActive()).isTrue();
        }
    }

    @Test
    void a_replica_as_the_target_even_if_it_lets_itself_be_written_to(CapturedOutput output) {
        try (RedisServer replica = RedisServer.start(
                        RedisBinary.REDIS_7_0,
                        "--replicaof",
                        "127.0.0.1 " + redis.port(),
                        "--replica-read-only",
                        "no");
                ConfigurableApplicationContext context = start(replica.port())) {
            awaitWarning(output, "The Redis server is a replica");
            assertThat(context.isActive()).isTrue();
        }
    }

    @Test
    void a_lease_that_is_too_short_for_the_way_to_redis(CapturedOutput output) {
        try (Link slow = new Link(redis.port(), Conditions.slow(Duration.ofMillis(55)));
                ConfigurableApplicationContext context = start(slow.port(), Innocent.class, "election.lease=1s")) {
            awaitWarning(output, "the shortest lease is only 1000 ms");
            assertThat(context.isActive()).isTrue();
        }
    }

    @Test
    void clocks_that_are_far_apart(CapturedOutput output) {
        Flow ahead = new Flow.Changed(reply -> withLaterTime(reply, 95));
        try (Link future = new Link(redis.port(), new Conditions(Flow.FREE, ahead));
                ConfigurableApplicationContext context = start(future.port())) {
            awaitWarning(output, "The clock of the Redis server is 9");
            assertThat(output).contains("s ahead of the clock of this host");
            assertThat(context.isActive()).isTrue();
        }
    }

    @Test
    void a_command_timeout_that_is_longer_than_the_lease_where_there_is_leader_work(CapturedOutput output) {
        try (ConfigurableApplicationContext context =
                start(redis.port(), Innocent.class, "spring.data.redis.timeout=60s")) {
            awaitWarning(output, "spring.data.redis.timeout is 1 min, but the shortest lease is 15 s");
            assertThat(context.isActive()).isTrue();
        }
    }

    @Test
    void a_command_timeout_does_not_matter_where_there_is_no_leader_work(CapturedOutput output) {
        try (ConfigurableApplicationContext context =
                start(redis.port(), Object.class, "spring.data.redis.timeout=60s")) {
            awaitEndOfChecks(context, output);
            assertThat(output).doesNotContain("spring.data.redis.timeout");
        }
    }

    @Test
    void guarded_methods_that_never_can_run(CapturedOutput output) {
        try (ConfigurableApplicationContext context = start(redis.port(), TooEarly.class)) {
            awaitWarning(output, "TooEarly.run never runs");
            awaitWarning(output, "TooEarly.onReady never runs");
            awaitWarning(output, "The guard of " + TooEarly.class.getName() + ".prepare has no effect");
            awaitEndOfChecks(context, output);
            assertThat(output).doesNotContain("TooEarly.work");
            assertThat(context.getBean(TooEarly.class).runs()).containsExactly("prepare");
        }
    }

    @Test
    void runners_are_not_too_early_where_candidacy_begins_before_them(CapturedOutput output) {
        try (ConfigurableApplicationContext context =
                start(redis.port(), TooEarly.class, "election.startup.candidacy=before-runners")) {
            awaitWarning(output, "The guard of " + TooEarly.class.getName() + ".prepare has no effect");
            awaitEndOfChecks(context, output);
            assertThat(output).doesNotContain("never runs");
        }
    }

    @Test
    void two_live_members_with_one_node_id(CapturedOutput output) {
        String[] twin = {"election.members.enabled=true", "election.node.id=twin", "election.redis.key-prefix=twins"};
        try (ConfigurableApplicationContext one = start(redis.port(), Innocent.class, twin);
                ConfigurableApplicationContext other = start(redis.port(), Innocent.class, twin)) {
            awaitWarning(output, "takes part in elections in this store with the same node id twin");
            assertThat(one.isActive() && other.isActive()).isTrue();
        }
    }

    @Test
    void a_redis_that_is_away_at_the_start_is_looked_at_when_it_is_there(CapturedOutput output) {
        int port = Ports.free();
        try (ConfigurableApplicationContext context = start(port, Innocent.class, "election.members.enabled=true")) {
            awaitWarning(output, "No usable reply from Redis");
            try (RedisServer late =
                    RedisServer.startAt(RedisBinary.REDIS_7_0, port, "--maxmemory-policy", "allkeys-lfu")) {
                awaitWarning(output, "its maxmemory-policy is allkeys-lfu");
                assertThat(late.port()).isEqualTo(port);
                assertThat(output.getAll().lines().filter(line -> line.contains(" WARN ")))
                        .as("one for each cause")
                        .hasSize(2);
            }
            assertThat(context.isActive()).isTrue();
        }
    }

    @Test
    void properties_that_are_ignored(CapturedOutput output) {
        try (ConfigurableApplicationContext context = start(
                redis.port(),
                OwnSettings.class,
                "election.acknowledging-replicas=1",
                "election.rol=observer",
                "election.color=red",
                "election.mine.size=3",
                "election.bridge.old-jobs=x",
                "election.elections.reports.lease=20s",
                "election.minimum-tenure=-1s",
                "election.node.uri=not-a-uri",
                "election.node.metadata.zone=a")) {
            awaitWarning(output, "election.node.uri is 'not-a-uri'");
            assertThat(output.getAll().lines().filter(line -> line.contains(" WARN ")))
                    .satisfiesExactlyInAnyOrder(
                            line -> assertThat(line)
                                    .contains("election.acknowledging-replicas is set")
                                    .contains("Set election.redis.acknowledging-replicas instead"),
                            line -> assertThat(line)
                                    .contains("election.rol is set")
                                    .contains("Set election.role instead"),
                            line -> assertThat(line)
                                    .contains("election.color is set")
                                    .contains("Remove it, unless"),
                            line -> assertThat(line)
                                    .contains("election.bridge.old-jobs is set")
                                    .contains("the elections have no property of that name"),
                            line -> assertThat(line).contains("election.minimum-tenure is -1 s and has no effect"),
                            line -> assertThat(line).contains("election.node.uri is 'not-a-uri'"));
        }
    }

    @ConfigurationProperties("election.mine")
    record Mine(int size) {}

    @EnableConfigurationProperties(Mine.class)
    static class OwnSettings {}

    private static void awaitWarning(CapturedOutput output, String text) {
        Nodes.await(text)
                .until(() -> output.getAll().lines().anyMatch(line -> line.contains(" WARN ") && line.contains(text)));
    }

    /** Every check once more, here, as soon as it can be completed: whatever it finds, the doctor has told or nobody was to be told. */
    private static void awaitEndOfChecks(ConfigurableApplicationContext context, CapturedOutput output) {
        context.getBeansOfType(Check.class).values().forEach(check -> {
            Nodes.await("the end of " + check).until(() -> ended(check.look()));
            assertThat(check.look().toCompletableFuture().join())
                    .allSatisfy(finding -> assertThat(output).contains(finding.problem()));
        });
    }

    /** One that looks at the record of an election has to wait for that. */
    private static boolean ended(CompletionStage<List<Finding>> look) {
        return look.handle((findings, notYet) -> notYet == null)
                .toCompletableFuture()
                .join();
    }

    private static byte[] withLaterTime(byte[] reply, int seconds) {
        String later = TIME.matcher(new String(reply, StandardCharsets.ISO_8859_1))
                .replaceAll(time -> "*2\r\n\\$10\r\n" + (Long.parseLong(time.group(1)) + seconds) + "\r\n");
        return later.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static ConfigurableApplicationContext start(String user, CommandType... lacks) {
        return start(user, List.of(lacks));
    }

    /** By a user who may do all but that. */
    private static ConfigurableApplicationContext start(String user, List<CommandType> lacks, String... more) {
        AclSetuserArgs rules = AclSetuserArgs.Builder.on()
                .addPassword("secret")
                .allKeys()
                .allChannels()
                .allCommands();
        lacks.forEach(rules::removeCommand);
        redis.call(commands -> commands.aclSetuser(user, rules));
        List<String> properties = new ArrayList<>(List.of(more));
        properties.add("spring.data.redis.username=" + user);
        properties.add("spring.data.redis.password=secret");
        return start(redis.port(), Innocent.class, properties.toArray(String[]::new));
    }

    private static ConfigurableApplicationContext start(int port) {
        return start(port, Innocent.class);
    }

    private static ConfigurableApplicationContext start(int port, Class<?> jobs, String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .sources(jobs)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .properties("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + port)
                .properties("election.lease=15s", "election.redis.key-prefix=doctor-" + System.nanoTime())
                .properties("spring.main.banner-mode=off", "spring.data.redis.repositories.enabled=false")
                .properties(properties)
                .run();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @EnableAutoConfiguration
    static class Application {}

    static class Innocent {

        @LeaderOnly
        @Scheduled(fixedRate = 3_600_000)
        public void work() {}
    }

    public static class TooEarly implements ApplicationRunner {

        private final List<String> runs = new ArrayList<>();

        public List<String> runs() {
            return runs;
        }

        @LeaderOnly
        @Override
        public void run(ApplicationArguments arguments) {
            runs.add("run");
        }

        @LeaderOnly
        @EventListener
        public void onReady(ApplicationReadyEvent event) {
            runs.add("ready");
        }

        @LeaderOnly
        @PostConstruct
        public void prepare() {
            runs.add("prepare");
        }

        @LeaderOnly
        public void work() {}
    }
}
