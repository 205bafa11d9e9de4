package dev.election.zookeeper;

import static dev.election.zookeeper.TestEnsemble.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.Leadership;
import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.Timing;
import dev.election.harness.Children;
import dev.election.harness.Conditions;
import dev.election.harness.TemporaryFolders;
import dev.election.harness.ZooKeeperServer;
import dev.election.record.RecordStore.Failed;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReadAll;
import dev.election.record.RecordStore.ReadOutcome;
import dev.election.record.RecordStore.ReplaceOutcome;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordStore.Written;
import dev.election.testing.KillsProcesses;
import dev.election.testing.Opened;
import dev.election.testing.OtherServers;
import dev.election.testing.RealTime;
import dev.election.zookeeper.internal.ZooKeeperRecordStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An ensemble of three servers, of which some end, stop, or lose the others. */
@RealTime
@KillsProcesses
@OtherServers
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EnsembleOfThreeTest {

    /** Servers without a majority serve clients that only read. */
    private static final String READ_ONLY = "zookeeper.readonlymode.enabled=true";

    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final Duration SHORT_LEASE = Duration.ofSeconds(6);
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Opened opened = new Opened();
    private final List<ZooKeeperServer> servers =
            ZooKeeperServer.ensemble(Children.OF_THIS_JVM, TemporaryFolders.create("election-zookeeper"), READ_ONLY);

    /** Each test has nodes of its own. */
    private String path = "";

    @BeforeEach
    void begin() {
        path = "/" + UUID.randomUUID();
    }

    @AfterEach
    void close() throws Exception {
        opened.close();
    }

    @AfterAll
    void end() {
        servers.forEach(ZooKeeperServer::close);
    }

    private ZooKeeperAccess access(List<ZooKeeperServer> some) {
        return TestEnsemble.access(some.stream().map(ZooKeeperServer::address).collect(Collectors.joining(",")) + path);
    }

    private ZooKeeperRecordStore records(List<ZooKeeperServer> some) {
        return opened.add(new ZooKeeperRecordStore(access(some), ZooKeeperSettings.DEFAULT, LEASE));
    }

    private Election launch(String id, List<ZooKeeperServer> some, Duration lease) {
        ZooKeeperLeaseStore store =
                opened.add(ZooKeeperLeaseStore.open(access(some), lease, ZooKeeperSettings.DEFAULT));
        ElectionEngine engine = ElectionEngine.over(store)
                .as(new NodeInfo(id, ""))
                .timing(new Timing(lease, lease.dividedBy(3), Duration.ofSeconds(1)))
                .build();
        opened.add(engine::close);
        Election election = engine.get("e");
        engine.start();
        return election;
    }

    private static FencingToken token(Election election) {
        return election.leadership().map(Leadership::token).orElseThrow();
    }

    @Test
    void a_leader_stays_while_each_server_is_killed_once_and_without_a_majority_nobody_leads() {
        Election first = launch("first", servers, LEASE);
        Awaitility.await().atMost(SOON).until(first::isLeader);
        FencingToken token = token(first);
        Election second = launch("second", servers, LEASE);
        Awaitility.await().atMost(SOON).until(() -> second.leader().isPresent());
        ZooKeeperRecordStore records = records(servers);

        // One of them is that of the leader, and one the leader of the ensemble.
        for (ZooKeeperServer server : servers) {
            server.kill();
            String key = "killed/" + server.port();
            // A conflict, where the reply to one before was lost.
            Awaitility.await().atMost(SOON).until(() -> !(ask(records.replace(key, null, "x")) instanceof Failed));
            server.start();
        }
        assertStays(first, token, LEASE);
        assertThat(second.isLeader()).isFalse();

        servers.get(0).kill();
        servers.get(1).kill();
        Awaitility.await().atMost(LEASE.plusSeconds(1)).until(() -> !first.isLeader() && !second.isLeader());
        servers.get(0).start();
        servers.get(1).start();
        Awaitility.await().atMost(SOON).until(() -> first.isLeader() || second.isLeader());
        assertThat(token(first.isLeader() ? first : second).value()).isGreaterThan(token.value());
    }

    private static void assertStays(Election leader, FencingToken token, Duration time) {
        Awaitility.await().during(time).atMost(time.plus(SOON)).until(() -> leader.leadership()
                .map(Leadership::token)
                .filter(token::equals)
                .isPresent());
    }

    @Test
    void what_was_acknowledged_is_there_after_a_majority_was_killed_and_what_was_not_may_be() {
        ZooKeeperRecordStore records = records(servers);
        Awaitility.await().atMost(SOON).until(() -> ask(records.read("e")) instanceof Read);
        Map<String, Stored> acknowledged = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            if (ask(records.replace("r/" + i, null, "text " + i)) instanceof Written written) {
                acknowledged.put("r/" + i, Objects.requireNonNull(written.stored()));
            }
        }
        assertThat(acknowledged).hasSize(20);
        List<ZooKeeperServer> majority = new ArrayList<>(servers.subList(0, 2));
        majority.forEach(ZooKeeperServer::kill);
        Awaitility.await().atMost(SOON).until(() -> ask(records.read("e")) instanceof Failed);
        // The last server is read-only now, and takes no client that may write.
        Failed refused = (Failed) ask(records.read("r/1"));
        assertThat(refused.answer().problem()).isEqualTo(StoreProblem.UNREACHABLE);
        assertThat(refused.answer().action()).contains("majority");
        majority.forEach(ZooKeeperServer::start);
        ReadAll all = (ReadAll)
                Awaitility.await().atMost(SOON).until(() -> ask(records.readAll("r/")), ReadAll.class::isInstance);
        assertThat(texts(all.stored())).isEqualTo(texts(acknowledged));
    }

    private static Map<String, String> texts(Map<String, Stored> stored) {
        return stored.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue()
                .text()));
    }

    @Test
    void a_leader_at_a_server_that_hangs_ends_by_its_own_clock_before_another_one_leads() {
        assertEndsFirst(servers, servers.get(0), ZooKeeperServer::freeze, ZooKeeperServer::thaw);
    }

    @Test
    void a_leader_at_a_server_that_only_clients_can_reach_ends_before_another_one_leads() {
        List<ZooKeeperServer> linked = ZooKeeperServer.linkedEnsemble(
                Children.OF_THIS_JVM, TemporaryFolders.create("election-zookeeper"), READ_ONLY);
        linked.forEach(opened::add);
        ZooKeeperServer follower =
                linked.stream().filter(ZooKeeperServer::isFollower).findFirst().orElseThrow();
        assertEndsFirst(
                linked,
                follower,
                server -> server.reachLeader(Conditions.CUT),
                server -> server.reachLeader(Conditions.FINE));
    }

    private void assertEndsFirst(
            List<ZooKeeperServer> ensemble,
            ZooKeeperServer server,
            Consumer<ZooKeeperServer> harm,
            Consumer<ZooKeeperServer> healing) {
        // That server alone for the first node: it can't move away.
        Election first = launch("first", List.of(server), SHORT_LEASE);
        Awaitility.await().atMost(SOON).until(first::isLeader);
        FencingToken token = token(first);
        List<ZooKeeperServer> others =
                ensemble.stream().filter(other -> other != server).toList();
        Election second = launch("second", others, SHORT_LEASE);
        Awaitility.await().atMost(SOON).until(() -> second.leader().isPresent());
        harm.accept(server);
        Awaitility.await().pollInterval(Duration.ofMillis(20)).atMost(SOON).until(() -> {
            boolean isSecond = second.isLeader();
            assertThat(first.isLeader() && isSecond).isFalse();
            return isSecond;
        });
        assertThat(token(second).value()).isGreaterThan(token.value());
        FencingToken next = token(second);
        healing.accept(server);
        assertStays(second, next, SHORT_LEASE);
        assertThat(first.isLeader()).isFalse();
    }

    @Test
    void members_are_read_as_they_are_and_not_as_a_server_lags() {
        ZooKeeperRecordStore writer = records(servers.subList(0, 1));
        List<ZooKeeperRecordStore> readers =
                servers.stream().map(server -> records(List.of(server))).toList();
        Awaitility.await().atMost(SOON).until(() -> ask(writer.read("e")) instanceof Read);
        readers.forEach(reader -> Awaitility.await().atMost(SOON).until(() -> ask(reader.read("e")) instanceof Read));
        Stored last = null;
        for (int i = 0; i < 100; i++) {
            last = ((Written) ask(writer.replace("members/m", last, "beat " + i))).stored();
            for (ZooKeeperRecordStore reader : readers) {
                ReadAll all = (ReadAll) ask(reader.readAll("members/"));
                assertThat(all.stored().get("members/m"))
                        .extracting(Stored::text)
                        .isEqualTo("beat " + i);
            }
        }
    }

    @Test
    void what_one_server_has_acknowledged_is_read_at_another_that_lags() {
        for (ZooKeeperServer server : servers) {
            if (server.isLeader()) {
                continue;
            }
            ZooKeeperRecordStore reader = records(List.of(server));
            ZooKeeperRecordStore writer =
                    records(servers.stream().filter(other -> other != server).toList());
            for (ZooKeeperRecordStore one : List.of(reader, writer)) {
                Awaitility.await().atMost(SOON).until(() -> ask(one.read("e")) instanceof Read);
            }
            String key = "ledger/" + server.port();
            server.freeze();
            List<CompletionStage<ReplaceOutcome>> behind = IntStream.range(0, 100)
                    .mapToObj(i -> writer.replace(key + "/" + i, null, "x"))
                    .toList();
            behind.forEach(TestEnsemble::ask);
            assertThat(ask(writer.replace(key, null, "last"))).isInstanceOf(Written.class);
            CompletionStage<ReadOutcome> reading = reader.read(key);
            server.thaw();
            ReadOutcome first = ask(reading);
            // It has no answer where the others have left the server out meanwhile.
            Read read = first instanceof Read found
                    ? found
                    : (Read) Awaitility.await().atMost(SOON).until(() -> ask(reader.read(key)), Read.class::isInstance);
            assertThat(read.stored()).extracting(Stored::text).isEqualTo("last");
        }
    }
}
