package dev.election.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.etcd.internal.EtcdRecordStore;
import dev.election.harness.EtcdServer;
import dev.election.record.Continuity;
import dev.election.record.RecordStore;
import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Failed;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReadOutcome;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordStore.Written;
import dev.election.store.NoAnswer;
import dev.election.testing.LoggedLines;
import dev.election.testing.Opened;
import dev.election.testing.OtherServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The store while etcd fails, refuses requests or is configured wrongly. */
@OtherServers
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated("It counts the lines of the log")
class FaultsOfEtcdTest {

    private static final EtcdAccess.User USER = new EtcdAccess.User("shop", "secret");

    private final Opened opened = new Opened();

    @TempDir
    private Path folder;

    @AfterEach
    void close() throws Exception {
        opened.close();
    }

    private EtcdServer server(String... options) {
        return opened.add(new EtcdServer(options));
    }

    private EtcdRecordStore store(EtcdServer... members) {
        return opened.add(TestStore.over(members));
    }

    private static <T> T ask(CompletionStage<T> answer) {
        return answer.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private static NoAnswer failure(Object outcome) {
        return ((Failed) outcome).answer();
    }

    private static Stored stored(Object outcome) {
        return outcome instanceof Written written ? written.stored() : ((Read) outcome).stored();
    }

    @Test
    void a_database_that_is_full_takes_no_writes_and_is_read_until_there_is_room() {
        EtcdServer server = server("--quota-backend-bytes=2000000");
        EtcdRecordStore store = store(server);
        Stored last = stored(ask(store.replace("a", null, "text")));
        long revision = Long.parseLong(last.version());
        RecordStore.ReplaceOutcome outcome = null;
        for (int i = 0; i < 20 && !(outcome instanceof Failed); i++) {
            outcome = ask(store.replace("large" + i, null, "x".repeat(500_000)));
            revision += outcome instanceof Written ? 1 : 0;
        }
        assertThat(failure(outcome).problem()).isEqualTo(StoreProblem.CANNOT_PERSIST);
        assertThat(failure(outcome).action()).contains("quota", "etcdctl compact", "alarm disarm");
        assertThat(failure(ask(store.replace("a", last, "later"))).problem()).isEqualTo(StoreProblem.CANNOT_PERSIST);
        assertThat(stored(ask(store.read("a")))).isEqualTo(last);
        server.control("del", "--prefix", "election/large");
        server.control("compact", Long.toString(revision + 1));
        server.control("defrag");
        server.control("alarm", "disarm");
        assertThat(ask(store.replace("a", last, "later"))).isInstanceOf(Written.class);
    }

    @Test
    void a_text_that_is_too_large_is_told() {
        EtcdRecordStore store = store(server());
        NoAnswer failure = failure(ask(store.replace("a", null, "x".repeat(1_600_000))));
        assertThat(failure.problem()).isEqualTo(StoreProblem.TOO_LARGE);
        assertThat(failure(ask(store.replace("a", null, "x".repeat(3_000_000)))).problem())
                .isEqualTo(StoreProblem.TOO_LARGE);
    }

    private static void enableUsers(EtcdServer server, String range) {
        server.control("user", "add", "root:root");
        server.control("user", "grant-role", "root", "root");
        server.control("user", "add", USER.name() + ":" + USER.password());
        server.control("role", "add", "shop");
        server.control("role", "grant-permission", "shop", "readwrite", "--prefix=true", range);
        server.control("user", "grant-role", "shop", "shop");
        server.control("auth", "enable");
    }

    @Test
    void a_user_with_rights_on_the_prefix_is_enough_and_a_lost_token_costs_no_request() throws Exception {
        EtcdServer server = server();
        EtcdRecordStore store = opened.add(TestStore.over(TestStore.access(USER, server)));
        Stored before = stored(ask(store.replace("a", null, "before there were users")));
        enableUsers(server, "election/");
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        opened.add(store.watch("a", heard::add)::close);
        Awaitility.await().until(store::hearsAtOnce);
        Stored first = stored(ask(store.replace("a", before, "first")));
        assertThat(ask(store.readAll(""))).isInstanceOf(RecordStore.ReadAll.class);
        assertThat(ask(store.list(""))).isInstanceOf(RecordStore.Listed.class);
        // A restart makes etcd forget the tokens of its users.
        server.kill();
        server.start();
        Awaitility.await().until(() -> heard.contains(Change.CONNECTION));
        Stored second = stored(ask(store.replace("a", first, "second")));
        assertThat(ask(store.delete("a", second))).isInstanceOf(Written.class);
    }

    @Test
    void a_token_that_has_expired_is_replaced_by_another_one() throws Exception {
        Path key = Files.writeString(folder.resolve("hmac"), "a key of this test");
        EtcdServer server = server("--auth-token=jwt,priv-key=" + key + ",sign-method=HS256,ttl=5s");
        enableUsers(server, "election/");
        EtcdRecordStore store = opened.add(TestStore.over(TestStore.access(USER, server)));
        Stored first = stored(ask(store.replace("a", null, "first")));
        // Until it is over by the clock of etcd.
        TimeUnit.MILLISECONDS.sleep(5_100);
        assertThat(ask(store.replace("a", first, "second"))).isInstanceOf(Written.class);
    }

    @Test
    void missing_rights_a_wrong_password_and_no_user_are_told_with_what_to_do() {
        EtcdServer server = server();
        enableUsers(server, "elsewhere/");
        NoAnswer denied = failure(
                ask(opened.add(TestStore.over(TestStore.access(USER, server))).read("a")));
        assertThat(denied.problem()).isEqualTo(StoreProblem.FORBIDDEN);
        assertThat(denied.action()).contains("readwrite --prefix=true election/");
        EtcdAccess.User mistyped = new EtcdAccess.User("shop", "terces");
        NoAnswer wrong = failure(ask(
                opened.add(TestStore.over(TestStore.access(mistyped, server))).read("a")));
        assertThat(wrong.problem()).isEqualTo(StoreProblem.UNAUTHENTICATED);
        assertThat(wrong.action()).contains("check its name and its password");
        assertThat(wrong.toString() + mistyped).doesNotContain("terces");
        NoAnswer nobody = failure(ask(store(server).read("a")));
        assertThat(nobody.problem()).isEqualTo(StoreProblem.UNAUTHENTICATED);
        assertThat(nobody.action()).contains("set a user name");
    }

    @Test
    void a_gateway_that_is_off_is_told() {
        NoAnswer failure =
                failure(ask(store(server("--enable-grpc-gateway=false")).read("a")));
        assertThat(failure.detail()).contains("404");
        assertThat(failure.action()).contains("--enable-grpc-gateway");
    }

    @Test
    void a_server_that_is_away_is_one_line_until_it_is_back() {
        EtcdServer server = server();
        EtcdRecordStore store = store(server);
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        opened.add(store.watch("a", heard::add)::close);
        Awaitility.await().until(store::hearsAtOnce);
        try (LoggedLines log = new LoggedLines("dev.election")) {
            server.kill();
            Awaitility.await().until(() -> !log.warnings().isEmpty());
            NoAnswer failure = failure(ask(store.read("a")));
            assertThat(failure.problem()).isEqualTo(StoreProblem.UNREACHABLE);
            assertThat(failure.action()).contains(server.address().toString(), "can't be reached");
            server.start();
            Awaitility.await().until(() -> heard.contains(Change.CONNECTION) && store.hearsAtOnce());
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .startsWith("Failed to watch the keys of the elections, so news take up to 15");
        }
    }

    @Test
    void a_watch_begins_again_after_a_compaction_without_a_line() {
        EtcdServer server = server();
        EtcdRecordStore store = store(server);
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        Stored now = stored(ask(store.replace("a", null, "0")));
        try (LoggedLines log = new LoggedLines("dev.election")) {
            opened.add(store.watch("a", heard::add)::close);
            Awaitility.await().until(store::hearsAtOnce);
            server.control("compact", now.version());
            heard.clear();
            ask(store.replace("a", now, "1"));
            Awaitility.await().until(() -> !heard.isEmpty());
            assertThat(log.warnings()).isEmpty();
        }
    }

    @Test
    void a_restore_under_a_watch_is_another_store_that_is_listed_anew() {
        EtcdServer server = server();
        EtcdRecordStore store = store(server);
        Stored old = stored(ask(store.replace("a", null, "old")));
        server.snapshot();
        Written lost = (Written) ask(store.replace("a", old, "lost"));
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        opened.add(store.watch("a", heard::add)::close);
        Awaitility.await().until(store::hearsAtOnce);
        server.restore();
        Awaitility.await().until(() -> heard.contains(Change.CONNECTION));
        Awaitility.await().until(() -> heard.stream()
                .anyMatch(change -> change instanceof Change.Text text && old.equals(stored(text.read()))));
        Read read = (Read) ask(store.read("a"));
        assertThat(read.origin().continuity()).isNotEqualTo(lost.origin().continuity());
        // Its revision is given out again, with another text.
        Stored other = stored(ask(store.replace("a", old, "other")));
        assertThat(other.version()).isEqualTo(lost.stored().version());
        assertThat(ask(store.replace("a", lost.stored(), "late"))).isInstanceOf(RecordStore.Conflict.class);
    }

    @Test
    void endpoints_of_two_clusters_prove_nothing() {
        EtcdServer one = server(
                "--name=one",
                "--initial-cluster=one=http://127.0.0.1:1",
                "--initial-advertise-peer-urls=http://127.0.0.1:1");
        EtcdServer other = server(
                "--name=other",
                "--initial-cluster=other=http://127.0.0.1:2",
                "--initial-advertise-peer-urls=http://127.0.0.1:2");
        EtcdRecordStore store = store(one, other);
        Set<Continuity> shown = new HashSet<>();
        Awaitility.await("another proof again and again").until(() -> {
            // Both connections at once, as soon as both are open.
            CompletionStage<RecordStore.ReadAllOutcome> first = store.readAll("");
            CompletionStage<RecordStore.ReadAllOutcome> second = store.readAll("");
            shown.add(((RecordStore.ReadAll) ask(first)).origin().continuity());
            shown.add(((RecordStore.ReadAll) ask(second)).origin().continuity());
            return shown.size() > 3;
        });
    }

    @Test
    void more_reads_than_one_request_takes_are_answered_together() {
        EtcdRecordStore store = store(server());
        ask(store.replace("key-150", null, "text"));
        List<CompletionStage<ReadOutcome>> reads = new ArrayList<>();
        store.together(() -> IntStream.range(0, 300).forEach(i -> reads.add(store.read("key-" + i))));
        assertThat(reads).allSatisfy(read -> assertThat(ask(read)).isInstanceOf(Read.class));
        assertThat(stored(ask(reads.get(150))).text()).isEqualTo("text");
        assertThat(stored(ask(reads.get(151)))).isNull();
    }
}
