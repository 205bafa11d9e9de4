package dev.election.zookeeper;

import static dev.election.zookeeper.TestEnsemble.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.harness.Conditions;
import dev.election.harness.Link;
import dev.election.harness.ZooKeeperServer;
import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Conflict;
import dev.election.record.RecordStore.Failed;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReadAll;
import dev.election.record.RecordStore.ReadAllOutcome;
import dev.election.record.RecordStore.ReplaceOutcome;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordStore.Written;
import dev.election.testing.KillsProcesses;
import dev.election.testing.LoggedLines;
import dev.election.testing.Opened;
import dev.election.testing.RealTime;
import dev.election.zookeeper.internal.ZooKeeperRecordStore;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** One server that ends, stops, is cut off, or comes back with an earlier state. */
@RealTime
@KillsProcesses
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FaultsOfZooKeeperTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final Opened opened = new Opened();
    private final ZooKeeperServer server = opened.add(TestEnsemble.server());
    private final Link link = opened.add(new Link(server.port()));
    private final ZooKeeperRecordStore records = opened.add(TestEnsemble.records("127.0.0.1:" + link.port()));

    @AfterEach
    void close() throws Exception {
        opened.close();
    }

    private Read awaitRead(String key) {
        return (Read) Awaitility.await().atMost(SOON).until(() -> ask(records.read(key)), Read.class::isInstance);
    }

    private static Stored stored(ReplaceOutcome outcome) {
        assertThat(outcome).isInstanceOf(Written.class);
        return Objects.requireNonNull(((Written) outcome).stored());
    }

    private static Failed failed(Object outcome) {
        assertThat(outcome).isInstanceOf(Failed.class);
        return (Failed) outcome;
    }

    @Test
    void a_request_without_a_connection_is_answered_at_its_deadline_and_never_sent() {
        link.refuse();
        Failed failed = failed(ask(records.replace("e", null, "late")));
        assertThat(failed.answer().problem()).isEqualTo(StoreProblem.UNREACHABLE);
        assertThat(failed.answer().detail()).contains("127.0.0.1:" + link.port(), "it was not sent");
        link.open();
        assertThat(awaitRead("e").stored()).isNull();
    }

    @Test
    void a_request_waits_for_the_connection_that_is_being_made() {
        assertThat(ask(records.replace("e", null, "first"))).isInstanceOf(Written.class);
    }

    @Test
    void a_server_that_stops_is_answered_for_at_the_deadline_and_its_late_reply_changes_nothing() {
        ZooKeeperServer slow = opened.add(TestEnsemble.server("minSessionTimeout=20000", "maxSessionTimeout=20000"));
        ZooKeeperRecordStore patient = opened.add(TestEnsemble.records(slow.address()));
        Stored first = stored(ask(patient.replace("e", null, "first")));
        slow.freeze();
        long began = System.nanoTime();
        Failed failed = failed(ask(patient.replace("e", first, "late")));
        assertThat(failed.answer().problem()).isEqualTo(StoreProblem.TIMED_OUT);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(Duration.ofMillis(4_900), TestEnsemble.LEASE);
        slow.thaw();
        Read now = (Read) Awaitility.await().atMost(SOON).until(() -> ask(patient.read("e")), Read.class::isInstance);
        // It was sent before the deadline, and carried out since.
        assertThat(Objects.requireNonNull(now.stored()).text()).isEqualTo("late");
        assertThat(ask(patient.replace("e", first, "later"))).isInstanceOf(Conflict.class);
    }

    @Test
    void a_server_that_stops_is_left_before_the_deadline_where_sessions_are_short() {
        Stored first = stored(ask(records.replace("e", null, "first")));
        server.freeze();
        assertThat(failed(ask(records.replace("e", first, "unknown"))).answer().problem())
                .isEqualTo(StoreProblem.UNREACHABLE);
        server.thaw();
        assertThat(Objects.requireNonNull(awaitRead("e").stored()).text()).isIn("first", "unknown");
    }

    @Test
    void after_a_server_that_hangs_another_one_is_asked() throws Exception {
        Link first = opened.add(new Link(server.port()));
        Link second = opened.add(new Link(server.port()));
        ZooKeeperRecordStore moving = opened.add(new ZooKeeperRecordStore(
                TestEnsemble.access("127.0.0.1:" + first.port() + ",127.0.0.1:" + second.port()),
                ZooKeeperSettings.DEFAULT,
                Duration.ofSeconds(5)));
        assertThat(ask(moving.read("e"))).isInstanceOf(Read.class);
        for (int round = 0; round < 8; round++) {
            Link hangs = first.connections() > 0 ? first : second;
            hangs.become(Conditions.MUTE);
            failed(ask(moving.read("e")));
            assertThat(ask(moving.read("e"))).as("round %d", round).isInstanceOf(Read.class);
            hangs.become(Conditions.FINE);
            hangs.redirect(server.port());
            Awaitility.await().atMost(SOON).until(() -> hangs.connections() == 0);
        }
    }

    @Test
    void texts_that_are_larger_together_than_a_reply_may_be_are_read_and_watched() {
        for (int i = 0; i < 6; i++) {
            stored(ask(records.replace("ledger/" + i, null, "x".repeat(200_000))));
        }
        ReadAllOutcome all = ask(records.readAll("ledger/"));
        assertThat(all).isInstanceOf(ReadAll.class);
        assertThat(((ReadAll) all).stored()).hasSize(6);
        var subscription = records.watch("ledger/0", change -> {});
        Awaitility.await().atMost(SOON).until(records::hearsAtOnce);
        assertThat(link.connectionsMade()).isEqualTo(1);
        subscription.close();
    }

    @Test
    void another_connection_has_another_name_and_keeps_what_was_read() {
        Stored first = stored(ask(records.replace("e", null, "first")));
        Read before = awaitRead("e");
        link.redirect(server.port());
        Read after = awaitRead("e");
        assertThat(after.origin()).isNotEqualTo(before.origin());
        assertThat(Objects.requireNonNull(after.stored()).text()).isEqualTo("first");
        assertThat(stored(ask(records.replace("e", first, "second"))).text()).isEqualTo("second");
        assertThat(ask(records.replace("e", first, "third"))).isInstanceOf(Conflict.class);
    }

    @Test
    void after_its_session_a_process_hears_again_of_what_others_write() throws Exception {
        ZooKeeperRecordStore other = opened.add(TestEnsemble.records(server.address()));
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        var subscription = records.watch("e", heard::add);
        Awaitility.await().atMost(SOON).until(records::hearsAtOnce);
        Stored first = stored(ask(other.replace("e", null, "first")));
        assertThat(awaitText(heard)).isEqualTo("first");

        try (LoggedLines log = new LoggedLines("org.apache.zookeeper.ClientCnxn")) {
            link.refuse();
            Awaitility.await().atMost(SOON).until(() -> !log.with("EventThread shut down for session")
                    .isEmpty());
        }
        assertThat(records.hearsAtOnce()).isFalse();
        Stored second = stored(ask(other.replace("e", first, "second")));
        heard.clear();
        link.open();
        Change change;
        do {
            change = Objects.requireNonNull(heard.poll(20, TimeUnit.SECONDS));
        } while (change != Change.CONNECTION);
        assertThat(Objects.requireNonNull(awaitRead("e").stored()).text()).isEqualTo("second");
        Awaitility.await().atMost(SOON).until(records::hearsAtOnce);
        assertThat(ask(other.delete("e", second))).isInstanceOf(Written.class);
        assertThat(awaitText(heard)).isEqualTo("second");
        assertThat(awaitRead(heard).stored()).isNull();
        subscription.close();
    }

    private static String awaitText(BlockingQueue<Change> heard) throws InterruptedException {
        return Objects.requireNonNull(awaitRead(heard).stored()).text();
    }

    private static Read awaitRead(BlockingQueue<Change> heard) throws InterruptedException {
        while (true) {
            Change change = Objects.requireNonNull(heard.poll(20, TimeUnit.SECONDS));
            if (change instanceof Change.Text text && text.read() != null) {
                return text.read();
            }
        }
    }

    @Test
    void a_process_hears_of_its_own_write_and_reads_nothing_for_that() throws Exception {
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        records.watch("e", heard::add);
        Awaitility.await().atMost(SOON).until(records::hearsAtOnce);
        Stored last = stored(ask(records.replace("e", null, "first")));
        assertThat(awaitText(heard)).isEqualTo("first");
        long before = server.received();
        for (int i = 0; i < 20; i++) {
            last = stored(ask(records.replace("e", last, "text " + i)));
            assertThat(awaitText(heard)).isEqualTo("text " + i);
        }
        // The other requests are pings, and this one.
        assertThat(server.received() - before).isBetween(20L, 30L);
    }

    @Test
    void a_version_that_a_backup_gives_out_again_with_another_text_is_not_what_was_read() {
        ZooKeeperRecordStore other = opened.add(TestEnsemble.records(server.address()));
        Stored kept = stored(ask(records.replace("e", null, "kept")));
        server.snapshot();
        Stored lost = stored(ask(records.replace("e", kept, "lost")));
        server.restore();
        Stored found = Objects.requireNonNull(
                ((Read) Awaitility.await().atMost(SOON).until(() -> ask(other.read("e")), Read.class::isInstance))
                        .stored());
        assertThat(found.text()).isEqualTo("kept");
        stored(ask(other.replace("e", found, "new")));
        awaitRead("e");
        ReplaceOutcome late = ask(records.replace("e", lost, "late"));
        assertThat(late).isInstanceOf(Conflict.class);
        assertThat(Objects.requireNonNull(((Conflict) late).current()).text()).isEqualTo("new");
    }

    @Test
    void a_store_that_is_closed_answers_all_requests() {
        link.refuse();
        CompletableFuture<?> waits = records.read("e").toCompletableFuture();
        records.close();
        assertThat(failed(waits.orTimeout(20, TimeUnit.SECONDS).join()).answer().detail())
                .contains("closed");
        assertThat(failed(ask(records.read("e"))).answer().detail()).contains("closed");
    }
}
