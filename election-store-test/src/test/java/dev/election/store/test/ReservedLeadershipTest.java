package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.record.RecordStore;
import dev.election.record.RecordStore.Change;
import dev.election.store.BeatReply;
import dev.election.store.BeatRequest;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignReply.Wait;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.LeaseStore;
import dev.election.store.MemberEntry;
import dev.election.store.MemberStore;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.ReleaseRequest.Grant;
import dev.election.store.RosterVersion;
import dev.election.store.StoreEvent;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** How long leadership is reserved for a chosen successor in a store that some processes poll. Time is moved by hand. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReservedLeadershipTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration DELAY = Duration.ofMillis(5500);
    private static final Duration RESERVE = Duration.ofSeconds(3);
    private static final Duration MOMENT = Duration.ofMillis(2);

    private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);
    private final InMemoryRecordStore records = InMemoryRecordStore.withClock(millis::get);
    private final Node leader = new Node("leader", false);
    private final Node other = new Node("other", false);

    /** A process. What it watches is told by hand. */
    private final class Node {

        final List<Consumer<Change>> watchers = new ArrayList<>();
        final LeaseStore store;
        final Candidate candidate;

        Node(String id, boolean hearsAtOnce) {
            RecordStore delayed = (RecordStore) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {RecordStore.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "traits" -> records.traits().deliveringWithin(DELAY);
                        case "hearsAtOnce" -> hearsAtOnce;
                        case "watch" -> watch(arguments[1]);
                        default -> method.invoke(records, arguments);
                    });
            this.store =
                    new RecordLeaseStore(delayed, "", new LeaseRules(5), () -> millis.get() * 1_000_000, millis::get);
            this.candidate = new Candidate("e", id + ".1", new NodeInfo(id, ""));
        }

        @SuppressWarnings("unchecked")
        private LeaseStore.Subscription watch(Object watcher) {
            watchers.add((Consumer<Change>) watcher);
            return () -> {};
        }

        CampaignReply campaign() {
            return ask(store.campaign(new CampaignRequest(candidate, LEASE, 0, MOMENT)));
        }

        MemberStore members() {
            return store.memberStore().orElseThrow();
        }

        BeatReply.Beaten beat() {
            String id = candidate.node().id();
            BeatRequest request = new BeatRequest(id + "-1", "id=" + id + "\n", LEASE, RosterVersion.NONE);
            return (BeatReply.Beaten) ask(members().beat(request));
        }

        void poll() {
            watchers.forEach(watcher -> watcher.accept(Change.TEXT));
        }
    }

    private static <T> T ask(CompletionStage<T> answer) {
        return answer.toCompletableFuture().join();
    }

    private void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }

    private Granted lead(Node node) {
        node.campaign();
        pass(MOMENT.plusMillis(1));
        return (Granted) node.campaign();
    }

    private void handOver(Granted grant, String successor) {
        handOver(grant, successor, RESERVE);
    }

    private void handOver(Granted grant, String successor, Duration reserve) {
        Abdication how = new Abdication(null, Duration.ZERO, successor, reserve);
        ReleaseRequest request = new ReleaseRequest(
                leader.candidate, new Grant(grant.token(), grant.expiry()), LEASE, how, LossReason.ABDICATED);
        assertThat(ask(leader.store.release(request))).isInstanceOf(ReleaseReply.Released.class);
    }

    private void assertReserved(Duration time) {
        pass(time.minus(MOMENT));
        assertThat(other.campaign()).isInstanceOf(Wait.class);
        pass(MOMENT.multipliedBy(2));
        assertThat(other.campaign()).isInstanceOf(Granted.class);
    }

    @Test
    void a_successor_that_listens_and_has_died_costs_the_reserve_alone() {
        Granted grant = lead(leader);
        Node successor = new Node("successor", true);
        successor.campaign();
        successor.beat();
        leader.beat();
        handOver(grant, "successor");
        assertReserved(RESERVE);
    }

    @Test
    void leadership_may_be_reserved_for_as_long_as_an_abdication_allows() {
        Granted grant = lead(leader);
        handOver(grant, "successor", Election.LONGEST_WAIT);
        assertThat(other.campaign()).isInstanceOf(Wait.class);
        assertThat(new Node("successor", false).campaign()).isInstanceOf(Granted.class);
    }

    @Test
    void a_successor_that_polls_has_its_time_from_when_it_hears_of_it() {
        Granted grant = lead(leader);
        Node successor = new Node("successor", false);
        successor.campaign();
        successor.beat();
        leader.beat();
        handOver(grant, "successor");
        assertReserved(RESERVE.plus(DELAY));
    }

    @Test
    void a_successor_that_is_no_member_counts_as_one_that_polls() {
        Granted grant = lead(leader);
        new Node("successor", true).campaign();
        leader.beat();
        handOver(grant, "successor");
        assertReserved(RESERVE.plus(DELAY));
    }

    @Test
    void a_member_that_listens_is_read_as_it_was_written_and_orders_say_nothing_of_it() {
        Node node = new Node("node", true);
        node.campaign();
        node.beat();
        ask(node.members().beat(new BeatRequest(MemberStore.ORDER + "x", "an order", LEASE, RosterVersion.NONE)));
        assertThat(other.beat().changes())
                .filteredOn(MemberEntry.Present.class::isInstance)
                .extracting(entry -> ((MemberEntry.Present) entry).text())
                .containsExactlyInAnyOrder("id=node\n", "an order", "id=other\n");
        assertThat(records.find("members/node-1").text()).endsWith("\nlistens=node\nid=node\n");
    }

    /** A version that does not know it reads numbers on four lines, then parts of which it skips those that it does not know. */
    @Test
    void what_a_member_gains_is_a_part_of_its_text_for_an_earlier_version() {
        Node node = new Node("node", true);
        node.campaign();
        node.beat();
        assertThat(records.find("members/node-1").text().split("\n", 5))
                .satisfiesExactly(
                        beat -> assertThat(beat).matches("beat=\\d+"),
                        lasts -> assertThat(lasts).matches("lasts=\\d+"),
                        until -> assertThat(until).matches("until=\\d+"),
                        joined -> assertThat(joined).matches("joined=\\d+"),
                        text -> assertThat(text).isEqualTo("listens=node\nid=node\n"));
    }

    /** Otherwise those who poll would wait for the whole of it once more. */
    @Test
    void who_hears_of_a_release_late_hears_what_is_left_of_the_reserve() {
        List<StoreEvent> heard = new ArrayList<>();
        other.store.listen("e", heard::add);
        Granted grant = lead(leader);
        other.poll();
        handOver(grant, "successor");
        pass(DELAY);
        heard.clear();
        other.poll();
        assertThat(heard).containsExactly(new StoreEvent.Released(grant.token(), "successor", RESERVE));
    }

    @Test
    void who_hears_of_a_release_after_the_reserve_waits_no_longer() {
        List<StoreEvent> heard = new ArrayList<>();
        other.store.listen("e", heard::add);
        Granted grant = lead(leader);
        other.poll();
        handOver(grant, "successor");
        pass(RESERVE.plus(DELAY).plus(MOMENT));
        heard.clear();
        other.poll();
        assertThat(heard).containsExactly(new StoreEvent.Released(grant.token(), "successor", Duration.ZERO));
        assertThat(other.campaign()).isInstanceOf(Granted.class);
    }
}
