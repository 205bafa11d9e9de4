package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeadershipEvent.StoreFailed;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisProcess;
import dev.election.harness.SentinelGroup;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Lettuce;
import dev.election.testing.LoggedLines;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.OtherServers;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What Sentinels with an ACL of their own must allow, and what is lost without it. */
@OtherServers
class SentinelPermissionsTest {

    /** See {@link SentinelTest}. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private static final String USER = "election";
    private static final String PASSWORD = "of the Sentinels";
    private static final List<String> DOCUMENTED = List.of(
            "+sentinel|master", "+sentinel|get-master-addr-by-name", "+subscribe", "resetchannels", "&+switch-master");

    @AutoClose
    private final SentinelGroup group = SentinelGroup.start(RedisBinary.REDIS_7_0);

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election");

    @Test
    void the_commands_and_the_channel_that_the_documentation_lists_are_enough() {
        group.sentinels().forEach(sentinel -> allow(sentinel, DOCUMENTED));
        try (Nodes nodes = Nodes.start(2, LEASE, RedisAccess.at(uri(SentinelGroup.NAME)))) {
            assertThatTheElectionFollowsAFailover(nodes);
        }
        assertThat(group.sentinels())
                .allMatch(sentinel -> text(sentinel, "ACL", "LOG").equals("[]"));
        assertThat(log.warnings()).noneMatch(line -> line.contains("refuses"));
    }

    @Test
    void a_process_whose_Sentinels_refuse_the_epoch_follows_the_primary_and_says_so_once() {
        group.sentinels()
                .forEach(sentinel -> allow(
                        sentinel,
                        DOCUMENTED.stream()
                                .filter(rule -> !rule.endsWith("|master"))
                                .toList()));
        try (Nodes nodes = Nodes.start(1, LEASE, RedisAccess.at(uri(SentinelGroup.NAME)))) {
            assertThatTheElectionFollowsAFailover(nodes);
        }
        assertThat(log.warnings())
                .filteredOn(line -> line.contains("refuses"))
                .singleElement()
                .asString()
                .contains("refuses SENTINEL MASTER " + SentinelGroup.NAME, "Allow the user", "NOPERM", "not logged");
    }

    /** Of three Sentinels, each time that they are connected to. */
    @Test
    void a_process_whose_Sentinels_refuse_the_subscription_says_so_once() {
        group.sentinels()
                .forEach(sentinel -> allow(
                        sentinel,
                        DOCUMENTED.stream()
                                .filter(rule -> !rule.equals("+subscribe"))
                                .toList()));
        try (Nodes nodes = Nodes.start(1, LEASE, RedisAccess.at(uri(SentinelGroup.NAME)))) {
            nodes.awaitLeader();
            for (int i = 0; i < 3; i++) {
                group.sentinels().forEach(sentinel -> Nodes.await("a connection to a Sentinel")
                        .until(() ->
                                !text(sentinel, "CLIENT", "KILL", "USER", USER).equals("0")));
            }
        }
        assertThat(log.warnings())
                .filteredOn(line -> line.contains("refuses"))
                .singleElement()
                .asString()
                .contains("+switch-master", "SUBSCRIBE", "NOPERM", "not logged");
    }

    /** Nobody would find the mistake in the ACL. */
    @Test
    void a_name_of_the_primary_that_no_Sentinel_knows_is_no_missing_permission() {
        group.sentinels().forEach(sentinel -> allow(sentinel, DOCUMENTED));
        try (Nodes nodes = Nodes.start(1, LEASE, RedisAccess.at(uri("other")))) {
            Nodes.await("the failure").until(() -> nodes.journal().events(StoreFailed.class).stream()
                    .anyMatch(failed -> failed.detail().contains("does not know a primary called [other]")));
        }
        assertThat(log.warnings()).noneMatch(line -> line.contains("refuses"));
    }

    private void assertThatTheElectionFollowsAFailover(Nodes nodes) {
        Node leader = nodes.awaitLeader();
        group.failOver();
        group.awaitPrimary(group.second());
        RedisURI promoted = Lettuce.uri(group.second());
        String lease = new ElectionKeys(Nodes.PREFIX).lease("default");
        AtomicLong left = new AtomicLong(Long.MAX_VALUE);
        Nodes.await("a renewal on the new primary").until(() -> {
            long before = left.getAndSet(Lettuce.call(promoted, redis -> redis.pttl(lease)));
            return left.get() > before;
        });
        assertThat(leader.isLeader()).isTrue();
    }

    private RedisURI uri(String primary) {
        RedisURI.Builder uri =
                RedisURI.Builder.sentinel("127.0.0.1", group.sentinels().get(0).port(), primary);
        group.sentinels().stream().skip(1).forEach(sentinel -> uri.withSentinel("127.0.0.1", sentinel.port()));
        RedisURI all = uri.withPassword(SentinelGroup.PASSWORD.toCharArray()).build();
        all.getSentinels()
                .forEach(sentinel -> sentinel.setCredentialsProvider(
                        RedisCredentialsProvider.from(() -> RedisCredentials.just(USER, PASSWORD))));
        return all;
    }

    private static void allow(RedisProcess sentinel, List<String> rules) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", USER, "reset", "on", ">" + PASSWORD));
        command.addAll(rules);
        assertThat(text(sentinel, command.toArray(String[]::new))).isEqualTo("OK");
    }

    private static String text(RedisProcess sentinel, String... command) {
        try {
            return sentinel.text(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
