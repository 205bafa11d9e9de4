package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LeadershipEvent.Acquired;
import dev.election.harness.Conditions;
import dev.election.harness.Link;
import dev.election.harness.RedisBinary;
import dev.election.harness.Stalls;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.requests.RedisRequests;
import dev.election.store.ReadReply;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A slow link is not a dead one. */
@RealTime
class SlowLinkTest {

    @AutoClose
    private final RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);

    /** Each stall is as long as TCP's second and third attempt to send a packet take. */
    @Test
    void on_a_link_that_takes_longer_than_an_eighth_of_the_lease_and_stalls_somebody_leads() throws Exception {
        Duration lease = Duration.ofSeconds(8);
        try (Link link = new Link(server.port(), Conditions.slow(Duration.ofMillis(600)));
                Nodes nodes = Nodes.start(3, lease, access(link))) {
            nodes.awaitLeader();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(16);
            long stalled = System.nanoTime();
            long led = System.nanoTime();
            long leaderless = 0;
            for (long now = led; now < end; now = System.nanoTime()) {
                if (now - stalled > TimeUnit.SECONDS.toNanos(4)) {
                    link.stall(Duration.ofMillis(1500));
                    stalled = now;
                }
                led = nodes.all().stream().anyMatch(Node::isLeader) ? now : led;
                leaderless = Math.max(leaderless, now - led);
                TimeUnit.NANOSECONDS.sleep(TimeUnit.MILLISECONDS.toNanos(20));
            }
            assertThat(nodes.journal().events(Acquired.class))
                    .as("one change of leader at most: %s", nodes.journal().entries())
                    .hasSizeLessThanOrEqualTo(2);
            assertThat(Duration.ofNanos(leaderless)).as("without a leader").isLessThan(lease);
            nodes.awaitLeader();
        }
    }

    @Test
    void a_node_to_which_every_reply_takes_longer_than_the_lease_does_not_keep_it_from_the_others() throws Exception {
        Duration lease = Duration.ofSeconds(2);
        try (Link link = new Link(server.port());
                Nodes nodes = Nodes.start(1, lease, access(link))) {
            Node slow = nodes.awaitLeader();
            nodes.join(1, RedisAccess.at(server.uri()));
            Node other = nodes.others(slow).get(0);
            Nodes.await("the other one is in the queue")
                    .until(() -> other.election().leader().isPresent());
            link.become(Conditions.slow(Duration.ofMillis(1200)));
            Nodes.await("the other one leads").until(other::isLeader);
            assertThat(slow.isLeader()).isFalse();
        }
    }

    @Test
    void a_reply_on_a_connection_that_was_replaced_still_counts() throws Exception {
        Duration lease = Duration.ofSeconds(8);
        try (Link link = new Link(server.port());
                RedisLeaseStore store = RedisLeaseStore.open(access(link), "slow", lease)) {
            assertThat(read(store).get(20, TimeUnit.SECONDS)).isInstanceOf(ReadReply.Read.class);
            link.stallOpenConnections(Duration.ofSeconds(6));
            CompletableFuture<ReadReply> slow = read(store);
            // By another connection, once a second has passed in silence.
            Nodes.await("replies to what is asked now")
                    .until(() -> read(store)
                                    .completeOnTimeout(null, 200, TimeUnit.MILLISECONDS)
                                    .get()
                            instanceof ReadReply.Read);
            assertThat(slow).isNotDone();
            assertThat(slow.get(20, TimeUnit.SECONDS)).isInstanceOf(ReadReply.Read.class);
        }
    }

    /** The attempts after a third, a half and five sixths of the lease are lost; the next would be made after its end. */
    @Test
    void a_leader_keeps_its_lease_if_it_is_connected_anew_while_a_renewal_waits_on_a_dead_connection() {
        Duration lease = Duration.ofSeconds(9);
        try (Link link = new Link(server.port());
                Nodes nodes = Nodes.start(1, lease, access(link))) {
            Node leader = nodes.awaitLeader();
            FencingToken token = leader.token().orElseThrow();
            Duration sixth = lease.dividedBy(6);
            for (int i = 0; i < 3; i++) {
                awaitRenewal(leader);
            }
            link.stallOpenConnections(lease.multipliedBy(4));
            link.stall(sixth.multipliedBy(5).plus(sixth.dividedBy(3)));
            nodes.assertThatLeadershipLasts(leader, token, lease.plus(sixth));
        }
    }

    @Test
    void a_dead_connection_is_replaced_in_seconds_though_the_lease_lasts_for_minutes() {
        try (Link link = new Link(server.port());
                RedisLeaseStore store = RedisLeaseStore.open(access(link), "slow", Duration.ofMinutes(4))) {
            Nodes.await("an answer").until(() -> read(store).get(20, TimeUnit.SECONDS) instanceof ReadReply.Read);
            link.stallOpenConnections(Duration.ofMinutes(2));
            Nodes.await("an answer over another connection")
                    .until(() -> read(store)
                                    .completeOnTimeout(null, 200, TimeUnit.MILLISECONDS)
                                    .get()
                            instanceof ReadReply.Read);
        }
    }

    @Test
    void followers_of_a_server_that_accepts_and_says_nothing_try_less_and_less_often() {
        try (Link link = new Link(server.port())) {
            link.hang();
            try (Nodes nodes = Nodes.start(1, Duration.ofSeconds(2), access(link))) {
                Nodes.await("an attempt").until(() -> link.connectionsMade() > 0);
                Nodes.await("eight seconds").during(Duration.ofSeconds(8)).until(() -> nodes.all().stream()
                        .noneMatch(Node::isLeader));
                // Two connections, each tried for one, two and two seconds, with pauses of up to one second.
                assertThat(link.connectionsMade()).isBetween(4L, 10L);
            }
        }
    }

    @Test
    void a_leader_tries_to_connect_without_a_pause_longer_than_half_a_second_while_its_lease_lasts() throws Exception {
        Duration lease = Duration.ofSeconds(8);
        try (Link link = new Link(server.port());
                Nodes nodes = Nodes.start(1, lease, access(link));
                Stalls stalls = new Stalls()) {
            Node leader = nodes.awaitLeader();
            nodes.awaitRecovery();
            long before = link.connectionsMade();
            link.hang();
            Duration longest = Duration.ZERO;
            long since = System.nanoTime();
            while (leader.isLeader()) {
                // One for requests and one for events.
                if (link.connections() >= 2) {
                    since = System.nanoTime();
                } else {
                    Duration ran = stalls.ranSince(since);
                    longest = ran.compareTo(longest) > 0 ? ran : longest;
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
            assertThat(link.connectionsMade() - before).as("attempts").isGreaterThanOrEqualTo(4);
            assertThat(longest)
                    .as("with less than two attempts under way")
                    .isLessThan(RedisRequests.longestPause().plusMillis(250));
        }
    }

    private static void awaitRenewal(Node leader) {
        AtomicReference<Duration> left = new AtomicReference<>(remaining(leader));
        Nodes.await("a renewal")
                .pollInterval(Duration.ofMillis(1))
                .until(() -> remaining(leader).compareTo(left.getAndSet(remaining(leader))) > 0);
    }

    private static Duration remaining(Node leader) {
        return leader.election().leadership().orElseThrow().remaining();
    }

    private static RedisAccess access(Link link) {
        return RedisAccess.at(RedisURI.create("127.0.0.1", link.port()));
    }

    private static CompletableFuture<ReadReply> read(RedisLeaseStore store) {
        return store.read("default").toCompletableFuture();
    }
}
