package dev.election.zookeeper;

import static dev.election.zookeeper.TestEnsemble.ask;
import static dev.election.zookeeper.TestEnsemble.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.StoreProblem;
import dev.election.harness.Children;
import dev.election.harness.TemporaryFolders;
import dev.election.harness.ZooKeeperServer;
import dev.election.record.RecordStore.Failed;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReadAll;
import dev.election.record.RecordStore.Written;
import dev.election.store.NoAnswer;
import dev.election.testing.Opened;
import dev.election.testing.OtherServers;
import dev.election.zookeeper.internal.ZooKeeperRecordStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has access to the nodes, and what is said where somebody has not. */
@OtherServers
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AccessToZooKeeperTest {

    private static final ZooKeeperServer SERVER = TestEnsemble.server("zookeeper.enforceQuota=true");

    private static final Duration SOON = Duration.ofSeconds(60);

    private final Opened opened = new Opened();

    @AfterEach
    void close() throws Exception {
        opened.close();
    }

    private ZooKeeperRecordStore connected(ZooKeeperRecordStore records) {
        opened.add(records);
        Awaitility.await().atMost(SOON).until(() -> !isAway(ask(records.read("none"))));
        return records;
    }

    private static boolean isAway(Object outcome) {
        return outcome instanceof Failed failed && failed.answer().problem() == StoreProblem.UNREACHABLE;
    }

    private ZooKeeper administrator() throws Exception {
        return opened.add(TestEnsemble.administrator(SERVER.address()));
    }

    private static NoAnswer refused(Object outcome) {
        assertThat(outcome).isInstanceOf(Failed.class);
        return ((Failed) outcome).answer();
    }

    @Test
    void nodes_of_a_user_are_closed_to_others() {
        String path = "/" + UUID.randomUUID();
        ZooKeeperAccess own = new ZooKeeperAccess(SERVER.address() + path, "shop", "secret", Map.of());
        ZooKeeperAccess other = new ZooKeeperAccess(SERVER.address() + path, "shop", "guessed", Map.of());
        ZooKeeperRecordStore owner =
                connected(new ZooKeeperRecordStore(own, ZooKeeperSettings.DEFAULT, TestEnsemble.LEASE));
        assertThat(ask(owner.replace("e", null, "text"))).isInstanceOf(Written.class);
        assertThat(((Read) ask(owner.read("e"))).stored()).isNotNull();

        for (ZooKeeperRecordStore stranger : List.of(
                connected(TestEnsemble.records(SERVER.address() + path)),
                connected(new ZooKeeperRecordStore(other, ZooKeeperSettings.DEFAULT, TestEnsemble.LEASE)))) {
            NoAnswer read = refused(ask(stranger.read("e")));
            assertThat(read.problem()).isEqualTo(StoreProblem.FORBIDDEN);
            assertThat(read.action()).contains("the node " + path + "/election/elections/e,", "cdrwa");
            assertThat(refused(ask(stranger.replace("f", null, "text"))).problem())
                    .isEqualTo(StoreProblem.FORBIDDEN);
            assertThat(refused(ask(stranger.readAll(""))).problem()).isEqualTo(StoreProblem.FORBIDDEN);
        }
    }

    @Test
    void a_path_that_this_user_can_not_create_is_named() throws Exception {
        ZooKeeper administrator = administrator();
        String path = "/" + UUID.randomUUID();
        administrator.create(
                path,
                new byte[0],
                // The client looks for null in it, which a List.of() refuses.
                Arrays.asList(
                        new ACL(ZooDefs.Perms.READ, Ids.ANYONE_ID_UNSAFE), new ACL(ZooDefs.Perms.ALL, Ids.AUTH_IDS)),
                CreateMode.PERSISTENT);
        ZooKeeperRecordStore records = connected(TestEnsemble.records(SERVER.address() + path + "/shop"));
        assertThat(((Read) ask(records.read("e"))).stored()).isNull();
        NoAnswer answer = refused(ask(records.replace("e", null, "text")));
        assertThat(answer.problem()).isEqualTo(StoreProblem.FORBIDDEN);
        assertThat(answer.action()).contains("the node " + path + "/shop, or of the one above it");

        administrator.create(path + "/shop", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        assertThat(ask(records.replace("e", null, "text"))).isInstanceOf(Written.class);
    }

    @Test
    void a_quota_that_is_reached_is_named() throws Exception {
        String path = "/" + UUID.randomUUID();
        ZooKeeperRecordStore records = connected(TestEnsemble.records(SERVER.address() + path));
        assertThat(ask(records.replace("e", null, "text"))).isInstanceOf(Written.class);
        ZooKeeper administrator = administrator();
        String quota = "/zookeeper/quota" + path;
        administrator.create(quota, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        administrator.create(
                quota + "/zookeeper_limits",
                bytes("count=-1,bytes=-1=;byteHardLimit=100;countHardLimit=-1"),
                Ids.OPEN_ACL_UNSAFE,
                CreateMode.PERSISTENT);
        administrator.create(
                quota + "/zookeeper_stats", bytes("count=5,bytes=4"), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        NoAnswer answer = refused(ask(records.replace("f", null, "x".repeat(200))));
        assertThat(answer.problem()).isEqualTo(StoreProblem.CANNOT_PERSIST);
        assertThat(answer.action()).contains("quota");
    }

    @Test
    void a_node_of_somebody_else_is_refused_and_one_without_a_text_is_made_again() throws Exception {
        String path = "/" + UUID.randomUUID();
        ZooKeeperRecordStore records = connected(TestEnsemble.records(SERVER.address() + path));
        Written first = (Written) ask(records.replace("e", null, "text"));
        ZooKeeper administrator = administrator();
        String node = path + "/election/elections/e";
        administrator.create(node + "/own", bytes("own"), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        NoAnswer answer = refused(ask(records.read("e")));
        assertThat(answer.problem()).isEqualTo(StoreProblem.WRONG_TYPE);
        assertThat(answer.action()).contains(node);
        assertThat(refused(ask(records.delete("e", first.stored()))).action()).contains(node);

        for (String child : administrator.getChildren(node, false)) {
            administrator.delete(node + "/" + child, -1);
        }
        assertThat(((Read) ask(records.read("e"))).stored()).isNull();
        Awaitility.await().until(() -> ask(records.replace("e", null, "again")) instanceof Written);
        Stat stat = administrator.exists(node, false);
        assertThat(stat.getNumChildren()).isEqualTo(1);
        administrator.create(path + "/election/elections/%zz", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        assertThat(((ReadAll) ask(records.readAll(""))).stored()).containsOnlyKeys("e");
    }

    @Test
    void a_server_that_asks_for_a_user_says_so() {
        ZooKeeperServer strict = opened.add(
                TestEnsemble.server("zookeeper.enforce.auth.enabled=true", "zookeeper.enforce.auth.schemes=digest"));
        ZooKeeperRecordStore anybody = opened.add(TestEnsemble.records(strict.address()));
        NoAnswer answer = Awaitility.await()
                .atMost(SOON)
                .until(() -> refused(ask(anybody.read("e"))), one -> one.problem() == StoreProblem.UNAUTHENTICATED);
        assertThat(answer.action()).contains("user and password");
        ZooKeeperAccess known = new ZooKeeperAccess(strict.address(), "shop", "secret", Map.of());
        ZooKeeperRecordStore user =
                connected(new ZooKeeperRecordStore(known, ZooKeeperSettings.DEFAULT, TestEnsemble.LEASE));
        assertThat(ask(user.read("e"))).isInstanceOf(Read.class);
    }

    @Test
    void a_connection_by_tls_has_the_properties_of_the_client() throws Exception {
        ZooKeeperServer server =
                opened.add(new ZooKeeperServer(Children.OF_THIS_JVM, TemporaryFolders.create("election-zookeeper")));
        String address = "localhost:" + server.secure();
        server.start();
        Map<String, String> tls = Map.of(
                "zookeeper.client.secure", "true",
                "zookeeper.clientCnxnSocket", "org.apache.zookeeper.ClientCnxnSocketNetty",
                "zookeeper.ssl.trustStore.location", server.certificate().toString(),
                "zookeeper.ssl.trustStore.type", "PEM");
        ZooKeeperRecordStore records = connected(new ZooKeeperRecordStore(
                new ZooKeeperAccess(address, null, null, tls), ZooKeeperSettings.DEFAULT, TestEnsemble.LEASE));
        assertThat(ask(records.replace("e", null, "text"))).isInstanceOf(Written.class);
        Awaitility.await().until(() -> ask(records.read("e")) instanceof Read);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/shop", "host:1:2:x", "host:2181/a//b", "host:2181/../b"})
    void a_connect_string_that_can_not_be_is_refused(String connect) {
        assertThatThrownBy(() -> TestEnsemble.access(connect)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void the_text_of_an_access_has_no_secret() {
        assertThat(new ZooKeeperAccess("h:1", "shop", "secret", Map.of("zookeeper.ssl.keyStore.password", "hidden")))
                .asString()
                .contains("h:1", "shop")
                .doesNotContain("secret", "hidden");
    }
}
