package dev.election.faults.checker;

import static dev.election.faults.history.Consequence.FRESH_NODE;
import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.faults.history.Consequence;
import dev.election.faults.history.Entry;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class LeaderlessTimeTest {

    /** Of the death of a leader. */
    private static final long BOUND = Bound.of(EnumSet.of(ORPHANED_LEASE), Doctored.LEASE) / 1_000_000;

    @Test
    void nothing_may_be_without_a_leader_if_nothing_was_broken() {
        assertThat(excess(Doctored::new, 1000, 1200)).isPositive();
    }

    @Test
    void a_dead_leader_may_be_missed_for_as_long_as_the_bound_says() {
        Supplier<Doctored> death =
                () -> new Doctored().fault(1000, 9000, "a", ORPHANED_LEASE, UNREACHABLE_LEADER, FRESH_NODE);
        assertThat(excess(death, 1000, 1000 + BOUND)).isZero();
        assertThat(excess(death, 1000, 1000 + BOUND + 100)).isPositive();
    }

    @Test
    void the_bound_of_a_dead_leader_is_a_lease_and_what_an_attempt_takes() {
        assertThat(BOUND).isBetween(Doctored.LEASE, Doctored.LEASE * 3 / 2);
    }

    @Test
    void a_follower_costs_no_leader() {
        Supplier<Doctored> death = () -> new Doctored().fault(1000, 9000, "b", FRESH_NODE);
        assertThat(excess(death, 1000, 1200)).isPositive();
    }

    @Test
    void while_nobody_can_be_elected_time_counts_from_the_end_of_the_fault() {
        Supplier<Doctored> outage = () -> new Doctored().fault(1000, 9000, "x", NO_ELECTION, ORPHANED_LEASE);
        assertThat(excess(outage, 2000, 9000 + BOUND)).isZero();
        assertThat(excess(outage, 2000, 9000 + BOUND + 100)).isPositive();
    }

    @Test
    void of_two_faults_at_a_time_the_last_to_end_counts_and_both_add_up() {
        Supplier<Doctored> both = () -> new Doctored()
                .fault(0, 1000, 3000, "a", ORPHANED_LEASE)
                .fault(0, 2000, 9000, "b", Consequence.FORGETFUL_STORE);
        long sum = Bound.of(EnumSet.of(ORPHANED_LEASE, Consequence.FORGETFUL_STORE), Doctored.LEASE) / 1_000_000;
        assertThat(excess(both, 1000, 9000 + sum)).isZero();
        assertThat(excess(both, 1000, 9000 + sum + 100)).isPositive();
    }

    @Test
    void for_as_long_as_the_machine_stands_still_nobody_is_expected_to_lead() {
        Supplier<Doctored> slow = () -> new Doctored().stalled("b", 1000, 1200);
        assertThat(excess(slow, 1000, 1200)).isZero();
        assertThat(excess(slow, 1000, 1400)).isPositive();
    }

    @Test
    void a_machine_that_stands_still_for_longer_than_a_request_may_take_is_a_fault_like_others() {
        Supplier<Doctored> slow = () -> new Doctored().stalled("b", 1000, 1500);
        long bound = Bound.of(EnumSet.of(ORPHANED_LEASE, Consequence.LOST_CONNECTIONS), Doctored.LEASE) / 1_000_000;
        assertThat(excess(slow, 1400, 1500 + bound)).isZero();
        assertThat(excess(slow, 1400, 1700 + bound)).isPositive();
    }

    @Test
    void until_all_have_started_the_machine_is_as_good_as_stopped() {
        long bound = Bound.of(EnumSet.of(ORPHANED_LEASE, LOST_CONNECTIONS), Doctored.LEASE) / 1_000_000;
        Supplier<Doctored> start = () -> new Doctored().informed("a", 1000).informed("b", 1500);
        assertThat(excess(start, 1400, 1500 + bound)).isZero();
        assertThat(excess(start, 1400, 1500 + bound + 100)).isPositive();
        assertThat(excess(start, 1500 + bound, 1500 + bound + 100)).isPositive();
    }

    @Test
    void the_start_excuses_nothing_that_the_first_fault_does() {
        Supplier<Doctored> early = () -> new Doctored().informed("a", 900).fault(1000, 9000, "a", ORPHANED_LEASE);
        assertThat(excess(early, 1000, 1000 + BOUND)).isZero();
        assertThat(excess(early, 1000, 1000 + BOUND + 100)).isPositive();
    }

    @Test
    void a_process_that_hears_of_the_leader_after_a_fault_is_no_start() {
        Supplier<Doctored> restart =
                () -> new Doctored().fault(1000, 1100, "b", FRESH_NODE).informed("b", 1500);
        assertThat(excess(restart, 1000, 1200)).isPositive();
    }

    @Test
    void a_process_that_was_stopped_on_purpose_is_no_slow_machine() {
        Supplier<Doctored> paused = () -> new Doctored().fault(1000, 9000, "b").stalled("b", 1000, 9000);
        assertThat(excess(paused, 1000, 2000)).isPositive();
    }

    @Test
    void a_store_that_may_have_lost_something_costs_one_more_lease() {
        long both = Bound.of(EnumSet.of(ORPHANED_LEASE, Consequence.SUSPECT_STORE), Doctored.LEASE) / 1_000_000;
        assertThat(both - BOUND).isEqualTo(Doctored.LEASE);
    }

    @Test
    void on_slow_links_time_counts_from_the_loss_of_the_leader_and_not_from_the_end_of_the_fault() {
        Supplier<Doctored> slow = () -> new Doctored().fault(1000, 90_000, "x", Consequence.SLOW_LINKS);
        long bound = Bound.of(EnumSet.of(Consequence.SLOW_LINKS), Doctored.LEASE) / 1_000_000;
        assertThat(excess(slow, 20_000, 20_000 + bound)).isZero();
        assertThat(excess(slow, 20_000, 20_000 + bound + 100)).isPositive();
        assertThat(excess(slow, 20_000, 90_000)).isPositive();
    }

    /** By how much longer there was no leader than allowed. */
    private static long excess(Supplier<Doctored> history, long from, long until) {
        return history
                .get()
                .leads("a", 1, 0, from)
                .leads("c", 2, until, until + 20_000)
                .judgedAt(until + 20_000)
                .violations()
                .stream()
                .filter(Violation.NoLeader.class::isInstance)
                .mapToLong(violation -> ((Violation.NoLeader) violation).excess())
                .sum();
    }

    @Test
    void over_a_database_news_comes_with_the_next_look_and_a_connection_is_given_up_sooner() {
        assertThat(overDatabase(Consequence.HAND_OVER) - over(Doctored.LEASE, Consequence.HAND_OVER))
                .isEqualTo(Doctored.LEASE / 3 + 500);
        assertThat(overDatabase(ORPHANED_LEASE, LOST_CONNECTIONS))
                .isLessThan(over(Doctored.LEASE, ORPHANED_LEASE, LOST_CONNECTIONS));
        assertThat(overDatabase(FRESH_NODE)).isZero();
    }

    @Test
    void over_kubernetes_news_comes_by_itself_and_a_connection_is_given_up_sooner() {
        assertThat(over("KUBERNETES", Consequence.HAND_OVER) - over(Doctored.LEASE, Consequence.HAND_OVER))
                .isEqualTo(500);
        assertThat(over("KUBERNETES", ORPHANED_LEASE, LOST_CONNECTIONS))
                .isLessThan(over(Doctored.LEASE, ORPHANED_LEASE, LOST_CONNECTIONS));
    }

    private static long overDatabase(Consequence... consequences) {
        return over("DATABASE", consequences);
    }

    private static long over(String topology, Consequence... consequences) {
        Entry.Begun about = new Entry.Begun("g", topology, Doctored.LEASE, 1, 0);
        return Bound.of(Set.of(consequences), about) / 1_000_000;
    }

    private static long over(long lease, Consequence... consequences) {
        return Bound.of(Set.of(consequences), lease) / 1_000_000;
    }
}
