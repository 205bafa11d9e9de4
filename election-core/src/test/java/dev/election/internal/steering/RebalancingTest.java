package dev.election.internal.steering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeaderRecovery;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LossReason;
import dev.election.Steering;
import dev.election.StoreView;
import dev.election.Timing;
import dev.election.internal.simulation.SimulatedRecoveries;
import dev.election.store.ReadReply;
import dev.election.testing.EachEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Twenty balanced elections, and one that is not. Lease 15 s. */
class RebalancingTest {

    private static final Duration LEASE = SteeredWorld.LEASE;
    private static final Duration SOON = SteeredWorld.SOON;
    private static final Steering BALANCED = Steering.none().balance(true).balance("reports", false);
    private static final List<String> ELECTIONS =
            IntStream.range(0, 20).mapToObj(i -> "orders." + i).toList();

    private SteeredWorld world = new SteeredWorld();
    private final Map<String, SteeredWorld.Node> nodes = new TreeMap<>();

    /** Who was told that it leads, one after the other: an election and a node. */
    private final List<String> begun = new ArrayList<>();

    /** From the end of a leadership that was handed over to the beginning of the next. */
    private final List<Duration> gaps = new ArrayList<>();

    private final Map<String, Long> handedOverAt = new HashMap<>();

    private SteeredWorld.Node start(String id, Steering steering) {
        SteeredWorld.Node node = world.create(id, steering);
        nodes.put(id, node);
        for (String name : ELECTIONS) {
            node.engine().get(name).addListener(new EachEvent(event -> heard(name, id, event)));
        }
        node.engine().start();
        return node;
    }

    private void heard(String election, String node, LeadershipEvent event) {
        if (event instanceof LeadershipEvent.Lost lost && lost.reason() == LossReason.PREEMPTED) {
            handedOverAt.put(election, world.loop.nanos());
        } else if (event instanceof LeadershipEvent.Acquired) {
            begun.add(election + " " + node);
            Long since = handedOverAt.remove(election);
            if (since != null) {
                gaps.add(Duration.ofNanos(world.loop.nanos() - since));
            }
        }
    }

    private void pass(Duration time) {
        world.pass(time);
    }

    private Map<String, List<String>> led() {
        Map<String, List<String>> led = new TreeMap<>();
        nodes.forEach((id, node) -> led.put(
                id,
                ELECTIONS.stream()
                        .filter(name -> node.engine().get(name).isLeader())
                        .toList()));
        return led;
    }

    private List<Integer> shares() {
        return led().values().stream().map(List::size).toList();
    }

    /** Four nodes lead five each, and nothing moves any more. */
    private void fourNodes() {
        for (String id : List.of("a", "b", "c", "d")) {
            start(id, BALANCED);
        }
        pass(LEASE.multipliedBy(4));
        assertThat(shares()).containsExactly(5, 5, 5, 5);
        begun.clear();
    }

    @Test
    void twenty_elections_on_four_nodes_are_five_for_each_and_nothing_moves_at_rest() {
        fourNodes();
        Map<String, List<String>> before = led();
        int reads = world.reads();
        pass(Duration.ofHours(1));
        assertThat(led()).isEqualTo(before);
        assertThat(begun).isEmpty();
        assertThat(world.reads()).as("no history is read").isEqualTo(reads);
    }

    @Test
    void who_joins_has_its_share_within_two_leases_and_a_second_for_each_and_nothing_else_moves() {
        fourNodes();
        Map<String, List<String>> before = led();
        start("e", BALANCED);
        pass(LEASE);
        assertThat(begun).as("before a lease has confirmed it").isEmpty();
        pass(LEASE.plusSeconds(4));
        assertThat(shares()).containsExactly(4, 4, 4, 4, 4);
        assertThat(begun).hasSize(4).allMatch(line -> line.endsWith(" e"));
        led().forEach((id, led) -> {
            if (!id.equals("e")) {
                assertThat(before.get(id)).containsAll(led);
            }
        });
        assertThat(gaps).hasSizeGreaterThan(3).allMatch(gap -> gap.compareTo(Duration.ofMillis(50)) <= 0);
        pass(Duration.ofMinutes(10));
        assertThat(begun).hasSize(4);
    }

    /** The first one leads all twenty: it confirms once, and not once for each. */
    @Test
    void a_wave_needs_its_confirmation_once_and_hands_over_one_at_a_time() {
        start("a", BALANCED);
        pass(LEASE.multipliedBy(2));
        assertThat(shares()).containsExactly(20);
        start("b", BALANCED);
        begun.clear();
        long from = world.loop.nanos();
        int before = 0;
        while (shares().get(1) < 10) {
            pass(Duration.ofMillis(1));
            assertThat(begun.size() - before).as("moves in a millisecond").isLessThan(2);
            before = begun.size();
            assertThat(Duration.ofNanos(world.loop.nanos() - from))
                    .isLessThan(LEASE.multipliedBy(2).plusSeconds(10));
        }
        StoreView view = view(begun.get(0).split(" ")[0]);
        assertThat(view.leaderships().get(1).requestedBy()).isEqualTo("b should lead (balanced, joined as number 2)");
    }

    private StoreView view(String election) {
        return ((ReadReply.Read)
                        world.store.read(election).toCompletableFuture().join())
                .view();
    }

    @Test
    void what_a_node_led_that_stops_is_shared_out_at_once_and_nothing_else_moves() {
        fourNodes();
        Map<String, List<String>> before = led();
        SteeredWorld.Node gone = nodes.remove("b");
        world.stop(gone);
        assertThat(led().values().stream().mapToInt(List::size).sum()).isEqualTo(20);
        assertThat(shares()).allMatch(share -> share == 6 || share == 7);
        led().forEach((id, led) -> assertThat(led).containsAll(before.get(id)));
        pass(LEASE.multipliedBy(10));
        assertThat(begun).hasSize(5);
    }

    /** It is shown for more than two leases, and leads nothing that others could get. */
    @Test
    void what_a_node_led_that_died_is_shared_out_a_lease_later_and_nothing_moves_to_the_dead_one() {
        fourNodes();
        Map<String, List<String>> before = led();
        nodes.remove("b").crash();
        pass(LEASE.plusMillis(500));
        assertThat(led().values().stream().mapToInt(List::size).sum()).isEqualTo(20);
        assertThat(shares()).allMatch(share -> share == 6 || share == 7);
        led().forEach((id, led) -> assertThat(led).containsAll(before.get(id)));
        pass(LEASE.multipliedBy(10));
        assertThat(begun).hasSize(5);
    }

    @Test
    void a_joiner_that_dies_gets_few_and_gives_them_back() {
        fourNodes();
        start("e", BALANCED);
        pass(SOON);
        nodes.remove("e").crash();
        pass(LEASE.multipliedBy(10));
        assertThat(shares()).containsExactly(5, 5, 5, 5);
        assertThat(begun.size()).as("moves").isLessThanOrEqualTo(8);
    }

    @Test
    void after_a_successor_that_does_not_lead_a_node_that_leads_again_waits_for_another_confirmation() {
        start("a", BALANCED);
        pass(LEASE.multipliedBy(2));
        start("b", BALANCED);
        pass(SOON);
        nodes.remove("b").crash();
        begun.clear();
        pass(LEASE.multipliedBy(10));
        assertThat(begun).as("what came back to it").hasSize(1);
        assertThat(shares()).containsExactly(20);
    }

    @Test
    void a_successor_that_has_just_died_keeps_an_election_without_a_leader_for_no_longer_than_a_dead_leader_does() {
        Duration lease = Duration.ofSeconds(2);
        world = new SteeredWorld(builder -> builder.timing(Timing.ofLease(lease)));
        start("a", BALANCED);
        pass(lease.multipliedBy(2));
        start("b", BALANCED);
        pass(lease.dividedBy(2));
        nodes.remove("b").crash();
        pass(lease.multipliedBy(10));
        assertThat(gaps).singleElement().satisfies(gap -> assertThat(gap).isBetween(lease, lease.plusMillis(200)));
    }

    /** Ten of the twenty should move, and work runs in one more than should stay. */
    @Test
    void work_that_outlasts_the_drain_time_stays_and_the_others_move() {
        start("a", BALANCED);
        pass(LEASE.multipliedBy(2));
        List<String> busy = ELECTIONS.subList(0, 11);
        List<LeaderWork> works = busy.stream()
                .map(name -> nodes.get("a").engine().get(name).beginWork().orElseThrow())
                .toList();
        start("b", BALANCED);
        pass(LEASE.multipliedBy(40));
        assertThat(led().get("a")).containsAll(busy);
        assertThat(shares()).containsExactly(11, 9);
        works.forEach(LeaderWork::close);
        // The next try of an election that has been tried in vain is up to an hour later.
        pass(Duration.ofHours(2));
        assertThat(shares()).containsExactly(10, 10);
        assertThat(led().get("b")).filteredOn(busy::contains).as("waited").hasSize(1);
    }

    /** The election that was given back would move first by its tenure: the first node got it last. */
    @Test
    void what_the_new_leader_has_given_back_stays_and_another_one_moves() {
        start("a", BALANCED);
        pass(LEASE.multipliedBy(2));
        start("b", BALANCED);
        pass(LEASE.multipliedBy(4));
        assertThat(shares()).containsExactly(10, 10);
        String back = led().get("b").get(0);
        nodes.get("b").engine().get(back).abdicate();
        pass(SOON);
        assertThat(led().get("a")).contains(back);
        begun.clear();
        pass(LEASE.multipliedBy(4));
        assertThat(shares()).containsExactly(10, 10);
        assertThat(begun).hasSize(1).doesNotContain(back + " b");
    }

    /** The election that recovers would move first by its tenure: the first node got it last. */
    @Test
    void what_still_recovers_stays_and_as_many_others_move() {
        world = new SteeredWorld(
                builder -> builder.recoverAtMost(Duration.ofHours(1)).callbacks(RebalancingTest::runUnlessRecovery));
        SteeredWorld.Node first = start("a", BALANCED);
        pass(LEASE);
        String recovering = ELECTIONS.get(10);
        first.engine().addRecovery("warm-up", new LeaderRecovery() {
            @Override
            public String election() {
                return recovering;
            }

            @Override
            public void recover(LeaderWork work) {}
        });
        first.engine().get(recovering).abdicate();
        pass(LEASE);
        start("b", BALANCED);
        pass(LEASE.multipliedBy(4));
        assertThat(shares()).containsExactly(10, 10);
        assertThat(led().get("a")).contains(recovering);
        assertThat(first.engine().get(recovering).beginWork()).isEmpty();
    }

    /** No recovery ends. */
    private static void runUnlessRecovery(Runnable task) {
        if (!SimulatedRecoveries.isRecovery(task)) {
            task.run();
        }
    }

    @Test
    void a_drained_node_gives_its_share_away_and_gets_one_when_it_is_set_to_active() {
        fourNodes();
        nodes.get("a").members().drain("b", "alice");
        // News are no reason to ask earlier than a sixth of a lease after the last time.
        pass(LEASE.dividedBy(6).plus(SOON));
        assertThat(shares().get(1)).isZero();
        pass(LEASE.multipliedBy(4));
        assertThat(shares())
                .satisfiesExactlyInAnyOrder(
                        none -> assertThat(none).isZero(),
                        one -> assertThat(one).isBetween(6, 7),
                        one -> assertThat(one).isBetween(6, 7),
                        one -> assertThat(one).isBetween(6, 7));
        nodes.get("a").members().activate("b", "alice");
        pass(LEASE.multipliedBy(3));
        assertThat(shares()).containsExactly(5, 5, 5, 5);
    }

    @Test
    void the_higher_priority_leads_all_and_balance_decides_among_those_that_are_equal() {
        start("a", BALANCED.preempt(true));
        start("b", BALANCED.preempt(true));
        start("c", BALANCED.preempt(true).priority(1));
        start("d", BALANCED.preempt(true).priority(1));
        pass(Duration.ofMinutes(5));
        assertThat(shares()).containsExactly(0, 0, 10, 10);
    }

    @Test
    void a_node_without_the_setting_keeps_what_it_leads_and_the_others_share_what_it_leaves() {
        start("old", Steering.none());
        pass(LEASE);
        start("a", BALANCED);
        start("b", BALANCED);
        pass(LEASE.multipliedBy(10));
        assertThat(led().get("old")).hasSize(20);
        world.stop(nodes.remove("old"));
        pass(LEASE.multipliedBy(3));
        assertThat(shares()).containsExactly(10, 10);
    }

    /**
     * The first two ask within a third of a lease. The others ask when the lease has been free for another lease, or with their regular question,
     * which may come sooner by chance.
     */
    @Test
    void who_is_neither_first_nor_second_leaves_a_lease_that_has_ended_to_them() {
        String election = ELECTIONS.get(0);
        Steering one = Steering.none().balance(election, true);
        List<Boolean> leadSoon = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            for (String id : List.of("a", "b", "c", "d")) {
                start(id + round, one);
            }
            pass(LEASE.multipliedBy(4));
            List<String> order = nodes.get("a" + round).members().succession(election).stream()
                    .map(place -> place.member().id())
                    .toList();
            order.subList(0, 3).forEach(id -> nodes.remove(id).crash());
            SteeredWorld.Node last = nodes.remove(order.get(3));
            pass(LEASE.plus(LEASE.multipliedBy(2).dividedBy(5)));
            leadSoon.add(last.engine().get(election).isLeader());
            pass(LEASE);
            assertThat(last.engine().get(election).isLeader()).isTrue();
            last.crash();
            pass(LEASE.multipliedBy(4));
        }
        assertThat(leadSoon).contains(false);
    }

    @Test
    void without_the_setting_nothing_is_balanced() {
        start("a", Steering.none().priority(0));
        pass(LEASE);
        start("b", Steering.none().priority(0));
        pass(LEASE.multipliedBy(10));
        assertThat(shares()).containsExactly(20, 0);
    }
}
