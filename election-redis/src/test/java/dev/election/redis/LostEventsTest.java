package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.Election;
import dev.election.FencingToken;
import dev.election.LeadershipEvent.Acquired;
import dev.election.LeadershipEvent.Lost;
import dev.election.harness.RedisBinary;
import dev.election.harness.Stalls;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.events.EventChannels;
import dev.election.store.StoreEvent;
import dev.election.testing.LoggedLines;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events make a handover quick; nothing else depends on them. */
@RealTime
class LostEventsTest {

    @AutoClose
    private final LoggedLines log = new LoggedLines(EventChannels.class.getName());

    @AutoClose
    private final Stalls stalls = new Stalls();

    @AutoClose
    private final RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);

    private RedisURI deaf;

    @BeforeEach
    void start() {
        deaf = RedisURI.builder(server.uri())
                .withAuthentication("deaf", "secret")
                .build();
        server.call(redis -> redis.aclSetuser(
                "deaf",
                AclSetuserArgs.Builder.on()
                        .addPassword("secret")
                        .allKeys()
                        .resetChannels()
                        .allCommands()));
    }

    @Test
    void a_user_without_channels_leads_is_followed_and_says_so_once() {
        Duration lease = Duration.ofSeconds(6);
        try (Nodes nodes = Nodes.start(1, lease, RedisAccess.at(deaf))) {
            Node leader = nodes.awaitLeader();
            nodes.assertThatLeadershipIsRenewed(leader, leader.token().orElseThrow());
            assertThat(log.warnings()).hasSize(1).first().asString().contains("NOPERM");
            assertThat(nodes.journal().answeredProblems()).isEmpty();
        }
    }

    @Test
    void without_channels_a_leader_elsewhere_hears_no_request_to_abdicate_and_can_only_be_forced() {
        Duration lease = Duration.ofSeconds(6);
        AbdicationRequest request = AbdicationRequest.of(Abdication.toAnyone());
        try (Nodes nodes = Nodes.start(2, lease, RedisAccess.at(deaf))) {
            Node leader = nodes.awaitLeader();
            Election other = nodes.others(leader).get(0).election();
            Nodes.await("it follows").until(() -> other.leader().isPresent());
            AbdicationReport elsewhere = other.requestAbdication(request.waitingFor(Duration.ofSeconds(2)))
                    .toCompletableFuture()
                    .join();
            assertThat(elsewhere.outcome()).isEqualTo(AbdicationOutcome.NO_REACTION);
            assertThat(elsewhere.detail()).contains("was not delivered", "lacks a permission");
            assertThat(leader.isLeader()).isTrue();
            AbdicationReport itself = leader.election()
                    .requestAbdication(request.waitingFor(Duration.ofSeconds(10)))
                    .toCompletableFuture()
                    .join();
            assertThat(itself.outcome()).isEqualTo(AbdicationOutcome.RELEASED);
        }
    }

    @Test
    void without_events_a_released_lease_is_taken_over_when_it_would_have_ended_at_the_latest() {
        Duration lease = Duration.ofSeconds(6);
        try (Nodes nodes = Nodes.start(3, lease, RedisAccess.at(deaf))) {
            Node leader = nodes.awaitLeader();
            FencingToken token = leader.token().orElseThrow();
            leader.election().abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofMinutes(1)));
            nodes.awaitLeaderAfter(token);
            // A follower that did not know the end would ask after 1.2 to 1.5 leases.
            assertThat(gap(nodes, token)).isLessThan(lease.plusMillis(2500));
        }
    }

    @Test
    void without_events_the_lease_of_a_crashed_leader_is_taken_over_when_it_ends() {
        Duration lease = Duration.ofSeconds(1);
        try (Nodes nodes = Nodes.start(3, lease, RedisAccess.at(deaf))) {
            Node leader = nodes.awaitLeader();
            FencingToken token = leader.token().orElseThrow();
            leader.closeStore();
            nodes.awaitLeaderAfter(token);
        }
    }

    @Test
    void a_channel_that_is_refused_does_not_make_deaf_for_the_others() {
        server.call(
                redis -> redis.aclSetuser("deaf", AclSetuserArgs.Builder.on().channelPattern("election:{mine}:*")));
        List<StoreEvent> heard = new CopyOnWriteArrayList<>();
        try (RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(deaf), "election", Duration.ofSeconds(8))) {
            store.listen("mine", heard::add);
            store.listen("forbidden", event -> {});
            Nodes.await("the subscription").until(() -> heard.contains(new StoreEvent.Connected()));
            heard.clear();
            // Now for both at a time.
            server.call(redis -> redis.clientKill(KillArgs.Builder.typePubsub()));
            Nodes.await("the subscription again").until(() -> heard.contains(new StoreEvent.Connected()));
            assertThat(log.warnings()).isNotEmpty().allSatisfy(warning -> assertThat(warning)
                    .contains("forbidden"));
        }
    }

    @Test
    void that_channels_are_refused_is_said_once_for_all_elections() {
        try (RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(deaf), "election", Duration.ofSeconds(8))) {
            IntStream.range(0, 10).forEach(i -> store.listen("e" + i, event -> {}));
            Nodes.await("the refusal").until(() -> !log.warnings().isEmpty());
            IntStream.range(10, 20).forEach(i -> store.listen("e" + i, event -> {}));
            Nodes.await("a refusal of each").until(() -> denials() >= 20);
            // Behind the answers to those.
            store.checkUp().toCompletableFuture().join();
            assertThat(log.warnings()).hasSize(1);
        }
    }

    @Test
    void events_come_again_after_their_connections_were_lost() {
        Duration lease = Duration.ofSeconds(10);
        try (Nodes nodes = Nodes.start(3, lease, RedisAccess.at(server.uri()))) {
            Node leader = nodes.awaitLeader();
            FencingToken token = leader.token().orElseThrow();
            awaitSubscribers(3, List.of());
            List<String> before = subscribers();
            server.call(redis -> redis.clientKill(KillArgs.Builder.typePubsub()));
            awaitSubscribers(3, before);
            assertThat(leader.token()).contains(token);
            leader.election().abdicate();
            nodes.awaitLeaderAfter(token);
            // Without events, two thirds of the lease at least.
            assertThat(gap(nodes, token)).as("far less than the lease").isLessThan(lease.dividedBy(2));
        }
    }

    private void awaitSubscribers(int count, List<String> notThese) {
        Nodes.await("%d subscribers".formatted(count))
                .until(() -> subscribers().stream()
                                .filter(id -> !notThese.contains(id))
                                .count()
                        == count);
    }

    /** Their ids. */
    private List<String> subscribers() {
        return server.call(redis -> redis.clientList())
                .lines()
                .filter(client -> !client.contains(" sub=0 "))
                .map(client -> client.substring(0, client.indexOf(' ')))
                .toList();
    }

    /**
     * From the end of that leadership to the beginning of the next, while the machine ran. Listeners hear of them a little later than they
     * happen.
     */
    private Duration gap(Nodes nodes, FencingToken token) {
        Nodes.await("the end of a leadership and the beginning of the next are told")
                .until(() ->
                        lost(nodes, token).isPresent() && next(nodes, token).isPresent());
        return stalls.ranBetween(
                lost(nodes, token).orElseThrow().at(),
                next(nodes, token).orElseThrow().at());
    }

    private static Optional<Lost> lost(Nodes nodes, FencingToken token) {
        return nodes.journal().events(Lost.class).stream()
                .filter(event -> event.token().equals(token))
                .findFirst();
    }

    private static Optional<Acquired> next(Nodes nodes, FencingToken token) {
        return nodes.journal().events(Acquired.class).stream()
                .filter(event -> event.leader().token().isNewerThan(token))
                .findFirst();
    }

    /** Redis counts those of one channel together. */
    private long denials() {
        return server.<List<Map<String, Object>>>call(redis -> redis.aclLog(100)).stream()
                .mapToLong(entry -> Long.parseLong(String.valueOf(entry.get("count"))))
                .sum();
    }
}
