package dev.election.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.harness.Children;
import dev.election.harness.Conditions;
import dev.election.harness.TemporaryFolders;
import dev.election.harness.ZooKeeperServer;
import dev.election.testing.KillsProcesses;
import dev.election.testing.OtherServers;
import dev.election.testing.RealTime;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A server of an ensemble of three that hangs, or that only clients can reach, and a leader that can't move away from it. */
@RealTime
@KillsProcesses
@OtherServers
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LostServerTest {

    private static final Duration SHORT_LEASE = Duration.ofSeconds(6);
    private static final Duration SOON = Duration.ofSeconds(60);

    private final List<ZooKeeperServer> servers = ZooKeeperServer.linkedEnsemble(
            Children.OF_THIS_JVM, TemporaryFolders.create("election-zookeeper"), "zookeeper.readonlymode.enabled=true");

    /** Each test has nodes of its own. */
    private TestNodes nodes = new TestNodes();

    @AfterEach
    void close() throws Exception {
        nodes.close();
        nodes = new TestNodes();
    }

    @AfterAll
    void end() {
        servers.forEach(ZooKeeperServer::close);
    }

    @Test
    void a_leader_at_a_server_that_hangs_ends_by_its_own_clock_before_another_one_leads() {
        assertEndsFirst(servers.get(0), ZooKeeperServer::freeze, ZooKeeperServer::thaw);
    }

    @Test
    void a_leader_at_a_server_that_only_clients_can_reach_ends_before_another_one_leads() {
        ZooKeeperServer follower = Awaitility.await()
                .atMost(SOON)
                .until(this::followers, Predicate.not(List::isEmpty))
                .get(0);
        assertEndsFirst(
                follower, server -> server.reachLeader(Conditions.CUT), server -> server.reachLeader(Conditions.FINE));
    }

    private List<ZooKeeperServer> followers() {
        return servers.stream().filter(ZooKeeperServer::isFollower).toList();
    }

    private void assertEndsFirst(
            ZooKeeperServer server, Consumer<ZooKeeperServer> harm, Consumer<ZooKeeperServer> healing) {
        // That server alone for the first node: it can't move away.
        Election first = nodes.launch("first", List.of(server), SHORT_LEASE);
        Awaitility.await().atMost(SOON).until(first::isLeader);
        FencingToken token = TestNodes.token(first);
        List<ZooKeeperServer> others =
                servers.stream().filter(other -> other != server).toList();
        Election second = nodes.launch("second", others, SHORT_LEASE);
        Awaitility.await().atMost(SOON).until(() -> second.leader().isPresent());
        harm.accept(server);
        Awaitility.await().pollInterval(Duration.ofMillis(20)).atMost(SOON).until(() -> {
            boolean isSecond = second.isLeader();
            assertThat(first.isLeader() && isSecond).isFalse();
            return isSecond;
        });
        assertThat(TestNodes.token(second).value()).isGreaterThan(token.value());
        FencingToken next = TestNodes.token(second);
        healing.accept(server);
        TestNodes.assertStays(second, next, SHORT_LEASE);
        assertThat(first.isLeader()).isFalse();
    }
}
