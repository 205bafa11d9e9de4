package dev.election.zookeeper;

import static dev.election.zookeeper.TestEnsemble.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.harness.Children;
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
import dev.election.testing.OtherServers;
import dev.election.testing.RealTime;
import dev.election.testing.Renewals;
import dev.election.zookeeper.internal.ZooKeeperRecordStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
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

    private static final Duration LEASE = TestNodes.LEASE;
    private static final Duration SOON = Duration.ofSeconds(60);

    private final List<ZooKeeperServer> servers =
            ZooKeeperServer.ensemble(Children.OF_THIS_JVM, TemporaryFolders.create("election-zookeeper"), READ_ONLY);

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
    void a_leader_stays_while_each_server_is_killed_once_and_without_a_majority_nobody_leads() throws Exception {
        Election first = nodes.launch("first", servers, LEASE);
        Awaitility.await().atMost(SOON).until(first::isLeader);
        FencingToken token = TestNodes.token(first);
        Election second = nodes.launch("second", servers, LEASE);
        Awaitility.await().atMost(SOON).until(() -> second.leader().isPresent());
        ZooKeeperRecordStore records = nodes.records(servers);

        // One of them is that of the leader, and one the leader of the ensemble.
        for (ZooKeeperServer server : servers) {
            server.kill();
            String key = "killed/" + server.port();
            // A conflict, where the reply to one before was lost.
            Awaitility.await().atMost(SOON).until(() -> !(ask(records.replace(key, null, "x")) instanceof Failed));
            server.start();
            // The first of them may have been on its way already.
            Renewals.await(first, token, 2);
        }
        TestNodes.assertStays(first, token, LEASE);
        assertThat(second.isLeader()).isFalse();

        servers.get(0).kill();
        servers.get(1).kill();
        Awaitility.await().atMost(LEASE.plusSeconds(1)).until(() -> !first.isLeader() && !second.isLeader());
        servers.get(0).start();
        servers.get(1).start();
        Awaitility.await().atMost(SOON).until(() -> first.isLeader() || second.isLeader());
        assertThat(TestNodes.token(first.isLeader() ? first : second).value()).isGreaterThan(token.value());
    }

    @Test
    void what_was_acknowledged_is_there_after_a_majority_was_killed_and_what_was_not_may_be() {
        ZooKeeperRecordStore records = nodes.records(servers);
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
    void members_are_read_as_they_are_and_not_as_a_server_lags() {
        ZooKeeperRecordStore writer = nodes.records(servers.subList(0, 1));
        List<ZooKeeperRecordStore> readers =
                servers.stream().map(server -> nodes.records(List.of(server))).toList();
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
            ZooKeeperRecordStore reader = nodes.records(List.of(server));
            ZooKeeperRecordStore writer = nodes.records(
                    servers.stream().filter(other -> other != server).toList());
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
