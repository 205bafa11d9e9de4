package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.record.Continuity;
import dev.election.record.Continuity.Line;
import dev.election.record.Continuity.Log;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.store.BeatRequest;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignReply.Wait;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.Held;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.RosterVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One server replaces another, and the other comes back. */
class ReplacedStoreTest {

    private static final Duration LEASE = Duration.ofSeconds(15);

    private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);

    private final class Server {

        private final InMemoryRecordStore records = InMemoryRecordStore.withClock(millis::get);
        private Continuity shown;

        Server(Continuity shown) {
            this.shown = shown;
        }

        /** With what another server has now. */
        Server copying(Server other) {
            records.put("e", other.records.find("e"));
            records.put("ledger/e", other.records.find("ledger/e"));
            return this;
        }

        @Nullable
        Object text() {
            return records.find("e");
        }
    }

    /** A process, and the server that it reaches. */
    private final class Process {

        private final String name;
        private final List<Continuity> replaced = new ArrayList<>();
        private Server at;

        /** Runs once after the next read. */
        private @Nullable Runnable betweenReadAndWrite;

        private final LeaseStore store;

        /** What the next look at all servers finds. */
        private CompletableFuture<List<Line>> others = CompletableFuture.completedFuture(List.of());

        private int looks;

        Process(String name, Server at) {
            this.name = name;
            this.at = at;
            ShowingRecordStore records = new ShowingRecordStore(
                    () -> this.at.records,
                    own -> shown(),
                    () -> {
                        looks++;
                        return others;
                    },
                    replaced::add);
            this.store =
                    new RecordLeaseStore(records, "", new LeaseRules(5), () -> millis.get() * 1_000_000, millis::get);
        }

        /** Asked once for each answer: what follows the first of them comes before the next request. */
        private Continuity shown() {
            Continuity present = at.shown;
            Runnable task = betweenReadAndWrite;
            betweenReadAndWrite = null;
            if (task != null) {
                task.run();
            }
            return present;
        }

        Candidate candidate() {
            return new Candidate("e", name + ".1", new NodeInfo(name, ""));
        }

        Object campaign() {
            return ask(store.campaign(new CampaignRequest(candidate(), LEASE, 0, Duration.ofMillis(50))));
        }

        Granted lead() {
            Object reply = campaign();
            for (int i = 0; reply instanceof Wait wait && i < 3; i++) {
                pass(wait.remaining());
                reply = campaign();
            }
            return (Granted) reply;
        }

        Object renew(Granted grant) {
            return ask(store.renew(new RenewRequest(candidate(), grant.token(), grant.since(), grant.expiry(), LEASE)));
        }

        Object release(Granted grant) {
            ReleaseRequest.Grant held = new ReleaseRequest.Grant(grant.token(), grant.expiry());
            return ask(store.release(new ReleaseRequest(candidate(), held, LEASE, LossReason.ABDICATED)));
        }

        Object look() {
            return ask(store.read("e"));
        }

        LedgerStore ledger() {
            return store.ledgerStore().orElseThrow();
        }
    }

    @Test
    void a_process_that_has_seen_a_newer_server_writes_nothing_at_an_older_one() {
        Server old = new Server(at("old", 1));
        Process leader = new Process("leader", old);
        Granted grant = leader.lead();
        assertThat(ask(leader.ledger().open("e", grant.token()))).isInstanceOf(LedgerStore.Opened.class);
        leader.at = new Server(at("new", 2)).copying(old);
        assertThat(leader.renew(grant)).isInstanceOf(RenewReply.Renewed.class);
        leader.at = old;
        Object before = old.text();
        assertReplaced(leader.renew(grant));
        assertReplaced(leader.release(grant));
        assertReplaced(ask(leader.ledger().write("e", grant.token(), Map.of("slot", "claimed"), Set.of())));
        assertReplaced(ask(leader.store.memberStore().orElseThrow().beat(beat())));
        pass(LEASE.multipliedBy(3));
        assertReplaced(leader.campaign());
        assertThat(old.text()).isEqualTo(before);
        assertThat(old.records.find("members/leader.1")).isNull();
        assertReplaced(leader.look());
        assertThat(leader.replaced).hasSize(6).containsOnly(at("old", 1));
    }

    @Test
    void a_process_that_connects_to_an_older_server_first_looks_at_the_others_before_it_is_granted_a_lease() {
        Server old = new Server(at("old", 1));
        new Process("leader", old).lead();
        Process other = new Process("other", old);
        other.look();
        pass(LEASE.plusMillis(1));
        Object before = old.text();
        other.others = new CompletableFuture<>();
        assertWaits(other.campaign(), Duration.ofMillis(50));
        assertWaits(other.campaign(), Duration.ofMillis(50));
        assertThat(other.looks).as("looks").isEqualTo(1);
        other.others.complete(List.of(new Line("line", 1), new Line("line", 2)));
        assertReplaced(other.campaign());
        assertThat(old.text()).isEqualTo(before);
    }

    @Test
    void a_grant_waits_for_a_look_and_a_renewal_does_not() {
        Server server = new Server(at("server", 1));
        Process leader = new Process("leader", server);
        leader.release(leader.lead());
        leader.looks = 0;
        leader.others = new CompletableFuture<>();
        assertWaits(leader.campaign(), Duration.ofMillis(50));
        leader.others.complete(List.of(new Line("line", 1)));
        Granted grant = (Granted) leader.campaign();
        leader.others = new CompletableFuture<>();
        assertThat(leader.renew(grant)).isInstanceOf(RenewReply.Renewed.class);
        leader.release(grant);
        assertWaits(leader.campaign(), Duration.ofMillis(50));
        leader.others.complete(List.of());
        assertThat(leader.campaign()).isInstanceOf(Granted.class);
        assertThat(leader.looks).as("one for each grant").isEqualTo(2);
    }

    @Test
    void a_look_of_long_ago_or_one_that_was_over_after_the_request_was_sent_says_nothing() {
        Server server = new Server(at("server", 1));
        Process process = new Process("a", server);
        process.release(process.lead());
        process.looks = 0;
        process.others = new CompletableFuture<>();
        assertWaits(process.campaign(), Duration.ofMillis(50));
        process.betweenReadAndWrite = () -> {
            pass(Duration.ofMillis(1));
            process.others.complete(List.of(new Line("line", 1)));
        };
        assertWaits(process.campaign(), Duration.ofMillis(50));
        pass(LEASE);
        process.others = new CompletableFuture<>();
        assertWaits(process.campaign(), Duration.ofMillis(50));
        assertThat(process.looks).isEqualTo(2);
    }

    @Test
    void an_answer_counts_if_the_newer_server_was_seen_after_the_request_was_sent() {
        Server old = new Server(at("old", 1));
        Process leader = new Process("leader", old);
        Granted grant = leader.lead();
        Server newer = new Server(at("new", 2)).copying(old);
        pass(Duration.ofSeconds(5));
        old.records.beforeNextChange(() -> {
            pass(Duration.ofMillis(1));
            leader.at = newer;
            leader.look();
            pass(Duration.ofMillis(1));
            leader.at = old;
        });
        assertThat(leader.renew(grant)).isInstanceOf(RenewReply.Renewed.class);
        assertReplaced(leader.renew(grant));
    }

    @Test
    void a_write_that_lands_at_an_old_server_is_not_answered_and_its_connection_is_given_up() {
        Server old = new Server(at("old", 1));
        Process leader = new Process("leader", old);
        Granted grant = leader.lead();
        leader.at = new Server(at("new", 2)).copying(old);
        leader.look();
        // The read is carried out on a connection to the new server, the write on one to the old.
        leader.betweenReadAndWrite = () -> leader.at = old;
        assertReplaced(leader.renew(grant));
        assertThat(leader.replaced).containsExactly(at("old", 1));
    }

    @Test
    void each_lease_that_ends_is_followed_by_a_look_of_its_own() {
        Server server = new Server(at("server", 1));
        Process process = new Process("a", server);
        Process other = new Process("other", server);
        other.look();
        process.release(process.lead());
        process.looks = 0;
        process.others = CompletableFuture.completedFuture(List.of(new Line("line", 1)));
        assertWaits(process.campaign(), Duration.ofMillis(50));
        other.release(other.lead());
        assertWaits(process.campaign(), Duration.ofMillis(50));
        assertThat(process.looks).isEqualTo(2);
        assertThat(process.campaign()).isInstanceOf(Granted.class);
    }

    @Test
    void servers_of_other_lines_have_nothing_to_do_with_each_other() {
        Server one = new Server(Continuity.ofIncarnation("one", new Line("one", 7)));
        Server other = new Server(Continuity.ofIncarnation("other", new Line("other", 1)));
        Process process = new Process("a", one);
        process.look();
        process.at = other;
        assertThat(process.campaign()).isInstanceOf(Wait.class);
    }

    @Test
    void a_server_that_comes_back_after_another_grants_nothing_for_a_lease_to_anybody() {
        Server old = new Server(Continuity.ofIncarnation("old"));
        Process leader = new Process("leader", old);
        Process witness = new Process("witness", old);
        Process other = new Process("other", old);
        witness.look();
        other.look();
        leader.lead();
        pass(LEASE.multipliedBy(2));
        witness.at = new Server(Continuity.ofIncarnation("new")).copying(old);
        witness.look();
        pass(Duration.ofSeconds(1));
        witness.at = old;
        assertWaits(witness.campaign(), LEASE);
        Object locked = old.text();
        assertThat(witness.campaign()).as("nothing is written again").isInstanceOf(Wait.class);
        assertThat(old.text()).isEqualTo(locked);
        assertWaits(other.campaign(), LEASE);
        pass(LEASE.multipliedBy(51).dividedBy(50));
        assertThat(other.campaign()).isInstanceOf(Granted.class);
    }

    @Test
    void a_leader_stays_at_a_server_that_comes_back_and_is_followed_by_nobody_for_a_lease() {
        Server old = new Server(Continuity.ofIncarnation("old"));
        Process leader = new Process("leader", old);
        Process other = new Process("other", old);
        other.look();
        Granted grant = leader.lead();
        leader.at = new Server(Continuity.ofIncarnation("new")).copying(old);
        pass(LEASE.dividedBy(3));
        assertThat(leader.renew(grant)).isInstanceOf(RenewReply.Renewed.class);
        leader.at = old;
        pass(LEASE.dividedBy(3));
        assertThat(leader.renew(grant)).isInstanceOf(RenewReply.Renewed.class);
        leader.release(grant);
        assertWaits(other.campaign(), LEASE);
    }

    @Test
    void a_late_answer_of_the_former_server_is_no_return_to_it() {
        Server old = new Server(Continuity.ofIncarnation("old"));
        Server next = new Server(Continuity.ofIncarnation("new"));
        Process process = new Process("a", old);
        Granted grant = process.lead();
        pass(Duration.ofSeconds(1));
        process.betweenReadAndWrite = () -> {
            pass(Duration.ofMillis(1));
            process.at = next.copying(old);
            process.look();
        };
        assertThat(process.renew(grant)).isInstanceOf(NoAnswer.class);
        pass(LEASE.multipliedBy(2));
        assertThat(process.campaign()).isInstanceOf(Granted.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_process_that_finds_a_lease_which_ended_before_it_came_waits_by_itself_unless_it_was_released(
            boolean isReleased) {
        Server server = new Server(Continuity.ofIncarnation("server"));
        Process leader = new Process("leader", server);
        Process witness = new Process("witness", server);
        witness.look();
        Granted grant = leader.lead();
        if (isReleased) {
            leader.release(grant);
        }
        pass(LEASE.plusMillis(1));
        Process fresh = new Process("fresh", server);
        if (isReleased) {
            assertThat(fresh.campaign()).isInstanceOf(Granted.class);
            return;
        }
        Object before = server.text();
        assertWaits(fresh.campaign(), LEASE);
        assertThat(server.text()).isEqualTo(before);
        pass(LEASE.minusMillis(1));
        assertWaits(fresh.campaign(), Duration.ofMillis(1));
        assertThat(witness.campaign())
                .as("one that has seen the server for a lease")
                .isInstanceOf(Granted.class);
    }

    @Test
    void a_process_that_comes_before_a_lease_ends_does_not_wait_longer() {
        Server server = new Server(Continuity.ofIncarnation("server"));
        new Process("leader", server).lead();
        pass(LEASE.minusSeconds(1));
        Process fresh = new Process("fresh", server);
        assertThat(fresh.campaign()).isInstanceOf(Held.class);
        pass(Duration.ofMillis(1001));
        assertThat(fresh.campaign()).isInstanceOf(Granted.class);
    }

    @Test
    void a_ledger_of_a_server_that_comes_back_may_lack_what_the_other_has_acknowledged() {
        Server old = new Server(Continuity.ofIncarnation("old"));
        Process leader = new Process("leader", old);
        FencingToken token = new FencingToken(10);
        assertThat(ask(leader.ledger().open("e", token))).isInstanceOf(LedgerStore.Opened.class);
        pass(Duration.ofHours(1));
        assertThat(opened(leader, token).intactFor()).isEqualTo(Duration.ofHours(1));
        leader.at = new Server(Continuity.ofIncarnation("new")).copying(old);
        leader.look();
        pass(Duration.ofSeconds(1));
        leader.at = old;
        assertThat(opened(leader, token).intactFor()).isLessThan(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @ValueSource(longs = {100, 101})
    void a_ledger_in_a_server_that_was_restarted_with_its_whole_log_has_lost_nothing(long position) {
        Server old = new Server(logging("first run", "log", 100));
        Process leader = new Process("leader", old);
        Process follower = new Process("follower", old);
        follower.look();
        opened(leader, new FencingToken(10));
        pass(Duration.ofHours(1));

        follower.at = new Server(logging("second run", "log", position)).copying(old);

        assertThat(opened(follower, new FencingToken(11)).intactFor()).isEqualTo(Duration.ofHours(1));
        follower.at = new Server(logging("third run", "log", position)).copying(follower.at);
        assertThat(opened(follower, new FencingToken(12)).intactFor()).isEqualTo(Duration.ofHours(1));
        leader.at = new Server(logging("fourth run", "log", position)).copying(follower.at);
        assertThat(opened(leader, new FencingToken(13)).intactFor())
                .as("for one that has not seen the run in which the ledger was opened last")
                .isLessThan(Duration.ZERO);
    }

    @Test
    void a_ledger_is_followed_through_several_restarts() {
        Server first = new Server(logging("first run", "log", 100));
        Process leader = leadingForAnHour(first);
        leader.at = new Server(logging("second run", "log", 100)).copying(first);
        leader.look();
        leader.at = new Server(logging("third run", "log", 100)).copying(first);

        assertThat(opened(leader, new FencingToken(11)).intactFor()).isEqualTo(Duration.ofHours(1));
    }

    static Stream<Continuity> runsThatMayHaveLostSomething() {
        return Stream.of(
                logging("second run", "log", 99),
                logging("second run", "another log", 101),
                at("second run", 1),
                Continuity.ofIncarnation("second run"));
    }

    @ParameterizedTest
    @MethodSource("runsThatMayHaveLostSomething")
    void a_ledger_in_a_server_that_was_restarted_with_less_or_other_data_may_have_lost_something(Continuity second) {
        Server old = new Server(logging("first run", "log", 100));
        Process leader = leadingForAnHour(old);
        old.shown = logging("first run", "log", 90);
        leader.look();

        leader.at = new Server(second).copying(old);

        assertThat(opened(leader, new FencingToken(11)).intactFor()).isLessThan(Duration.ZERO);
        leader.at = new Server(logging("third run", "log", 200)).copying(leader.at);
        assertThat(opened(leader, new FencingToken(12)).intactFor())
                .as("what was lost once is not there after another restart")
                .isLessThan(Duration.ofMinutes(59));
    }

    @Test
    void a_log_does_not_go_on_where_the_server_could_once_lose_something_meanwhile() {
        Server server = new Server(logging("first run", "log", 100));
        Process leader = leadingForAnHour(server);
        server.shown = at("first run", 1);
        leader.look();

        leader.at = new Server(logging("second run", "log", 200)).copying(server);

        assertThat(opened(leader, new FencingToken(11)).intactFor()).isLessThan(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_run_that_comes_back_after_another_may_have_lost_something_whatever_its_log(boolean isRestarted) {
        Server first = new Server(logging("first run", "log", 100));
        Process leader = leadingForAnHour(first);
        leader.at = new Server(logging("second run", "log", 100)).copying(first);
        leader.look();
        leader.at = first;
        leader.look();
        if (isRestarted) {
            leader.at = new Server(logging("third run", "log", 100)).copying(first);
        }

        assertThat(opened(leader, new FencingToken(11)).intactFor()).isLessThan(Duration.ZERO);
    }

    @Test
    void a_late_answer_of_an_earlier_run_is_no_return() {
        Server first = new Server(logging("first run", "log", 100));
        Process leader = leadingForAnHour(first);
        Server second = new Server(logging("second run", "log", 100)).copying(first);
        leader.betweenReadAndWrite = () -> {
            pass(Duration.ofMillis(1));
            leader.at = second;
            leader.look();
        };
        leader.look();

        assertThat(opened(leader, new FencingToken(11)).intactFor()).isGreaterThan(Duration.ofHours(1));
    }

    @Test
    void a_process_that_has_not_seen_a_server_before_its_restart_does_not_know_what_was_lost() {
        Server old = new Server(logging("first run", "log", 100));
        leadingForAnHour(old);
        Process fresh = new Process("fresh", new Server(logging("second run", "log", 101)).copying(old));

        assertThat(opened(fresh, new FencingToken(11)).intactFor()).isLessThan(Duration.ZERO);
    }

    @Test
    void a_process_that_sees_the_newer_server_before_it_writes_is_granted_nothing_at_the_old_one() {
        Server old = new Server(at("old", 1));
        Process leader = new Process("leader", old);
        Process other = new Process("other", old);
        other.look();
        Granted grant = leader.lead();
        Server newer = new Server(at("new", 2)).copying(old);
        leader.at = newer;
        for (int i = 0; i < 6; i++) {
            pass(Duration.ofSeconds(5));
            assertThat(leader.renew(grant)).isInstanceOf(RenewReply.Renewed.class);
        }
        // Its campaign has been answered by the old server; on its other connection it reaches the new one.
        old.records.beforeNextChange(() -> {
            pass(Duration.ofMillis(1));
            other.at = newer;
            other.look();
            other.at = old;
        });
        Object reply = other.campaign();
        assertThat(leader.renew(grant)).isInstanceOf(RenewReply.Renewed.class);
        assertThat(reply).as("beside the leader at the newer server").isNotInstanceOf(Granted.class);
    }

    @Test
    void a_process_that_sees_the_newer_server_before_an_answer_of_the_old_one_writes_nothing_there() {
        Server old = new Server(at("old", 1));
        Process other = new Process("other", old);
        other.look();
        Server newer = new Server(at("new", 2)).copying(old);
        Object before = old.text();
        other.betweenReadAndWrite = () -> {
            pass(Duration.ofMillis(1));
            other.at = newer;
            other.look();
            other.at = old;
        };
        assertReplaced(other.campaign());
        assertThat(old.text()).isEqualTo(before);
    }

    @Test
    void a_leader_that_is_led_to_an_old_server_for_once_does_not_lose_its_lease_by_what_that_says() {
        Server old = new Server(at("old", 1));
        Process stuck = new Process("stuck", old);
        stuck.look();
        // One that has come after the promotion, and has reached the new server only.
        Process leader = new Process("leader", new Server(at("new", 2)).copying(old));
        Granted grant = leader.lead();
        pass(Duration.ofSeconds(1));
        // One that reaches the old server only, as the documents say.
        assertThat(stuck.lead()).isInstanceOf(Granted.class);
        leader.at = old;
        assertReplaced(leader.renew(grant));
    }

    @Test
    void a_ledger_at_an_old_server_does_not_say_that_the_leader_is_superseded() {
        Server old = new Server(at("old", 1));
        Process leader = new Process("leader", old);
        FencingToken token = new FencingToken(10);
        assertThat(ask(leader.ledger().open("e", token))).isInstanceOf(LedgerStore.Opened.class);
        leader.at = new Server(at("new", 2)).copying(old);
        opened(leader, token);
        assertThat(ask(new Process("stuck", old).ledger().open("e", new FencingToken(11))))
                .isInstanceOf(LedgerStore.Opened.class);
        leader.at = old;
        assertReplaced(ask(leader.ledger().write("e", token, Map.of("slot", "claimed"), Set.of())));
    }

    @Test
    void a_beat_that_reads_the_new_server_and_conflicts_at_the_old_one_writes_nothing_there() {
        Server old = new Server(at("old", 1));
        Process process = new Process("leader", old);
        ask(process.store.memberStore().orElseThrow().beat(beat()));
        Server newer = new Server(at("new", 2));
        process.at = newer;
        ask(process.store.memberStore().orElseThrow().beat(beat()));
        pass(Duration.ofSeconds(5));
        ask(process.store.memberStore().orElseThrow().beat(beat()));
        Object before = old.records.find("members/leader.1");
        // The read is carried out on a connection to the new server, the write on one to the old.
        process.betweenReadAndWrite = () -> process.at = old;
        ask(process.store.memberStore().orElseThrow().beat(beat()));
        assertThat(old.records.find("members/leader.1")).isEqualTo(before);
    }

    @Test
    void a_ledger_that_was_begun_after_a_server_came_back_is_not_intact_for_longer_than_it_is_there() {
        Server old = new Server(Continuity.ofIncarnation("old"));
        Process leader = new Process("leader", old);
        leader.look();
        pass(Duration.ofSeconds(1));
        leader.at = new Server(Continuity.ofIncarnation("new"));
        leader.look();
        pass(Duration.ofSeconds(1));
        leader.at = old;
        leader.look();
        pass(Duration.ofHours(1));
        // Its row was deleted: it is begun, and what it tells counts from now on.
        FencingToken token = new FencingToken(10);
        opened(leader, token);
        pass(Duration.ofMinutes(1));
        assertThat(opened(leader, token).intactFor()).isLessThanOrEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void a_later_return_that_another_process_has_seen_stays_in_the_ledger() {
        Server old = new Server(Continuity.ofIncarnation("old"));
        Server other = new Server(Continuity.ofIncarnation("new"));
        Process one = new Process("one", old);
        Process two = new Process("two", old);
        FencingToken token = new FencingToken(10);
        opened(one, token);
        two.look();
        for (Process process : List.of(one, two)) {
            // First both, an hour later the second one alone sees the other server in between.
            pass(Duration.ofHours(1));
            one.at = process == one ? other : old;
            two.at = other;
            one.look();
            two.look();
            pass(Duration.ofSeconds(1));
            one.at = old;
            two.at = old;
            one.look();
            two.look();
        }
        pass(Duration.ofMinutes(1));
        Duration seen = opened(two, new FencingToken(11)).intactFor();
        assertThat(seen).isLessThanOrEqualTo(Duration.ofMinutes(1));
        assertThat(opened(one, new FencingToken(12)).intactFor()).isEqualTo(seen);
    }

    /** A process that has begun a ledger at that server an hour ago. */
    private Process leadingForAnHour(Server server) {
        Process leader = new Process("leader", server);
        opened(leader, new FencingToken(10));
        pass(Duration.ofHours(1));
        return leader;
    }

    private static LedgerStore.Opened opened(Process process, FencingToken token) {
        return (LedgerStore.Opened) ask(process.ledger().open("e", token));
    }

    private static BeatRequest beat() {
        return new BeatRequest("leader.1", "text", LEASE, RosterVersion.NONE);
    }

    private static Continuity at(String id, long position) {
        return Continuity.ofIncarnation(id, new Line("line", position));
    }

    private static Continuity logging(String id, String log, long position) {
        return Continuity.ofIncarnation(id, new Line("line", 1), new Log(log, position));
    }

    private void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }

    private static void assertWaits(Object reply, Duration remaining) {
        assertThat(reply).isInstanceOfSatisfying(Wait.class, wait -> assertThat(wait.remaining())
                .isBetween(remaining.minus(remaining.dividedBy(20)), remaining.plus(remaining.dividedBy(20))));
    }

    private static void assertReplaced(Object reply) {
        assertThat(reply).isInstanceOfSatisfying(NoAnswer.class, none -> {
            assertThat(none.problem()).isEqualTo(StoreProblem.REPLACED);
            assertThat(none.detail()).contains("line is 1").contains("2 was seen");
        });
    }

    private static <T> T ask(CompletionStage<T> reply) {
        return reply.toCompletableFuture().join();
    }
}
