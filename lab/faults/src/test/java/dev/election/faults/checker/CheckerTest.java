package dev.election.faults.checker;

import static dev.election.faults.history.Consequence.FORGETFUL_STORE;
import static dev.election.faults.history.Consequence.FRESH_NODE;
import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.OLD_RECORD;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.OTHER_PRIMARY;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.TWO_PRIMARIES;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.faults.history.Consequence;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckerTest {

    private final Doctored history = new Doctored();

    @Test
    void one_leader_after_the_other_is_as_promised() {
        Verdict verdict =
                history.leads("a", 1, 0, 5000).leads("b", 2, 5010, 9000).judgedAt(9000);
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.beliefs()).hasSize(2);
    }

    @Test
    void two_that_lead_at_once_are_found_with_the_time_they_share() {
        Verdict verdict =
                history.leads("a", 1, 0, 5000).leads("b", 2, 4000, 9000).judgedAt(9000);
        assertThat(verdict.violations()).singleElement().isInstanceOf(Violation.TwoLeaders.class);
        assertThat(verdict.overlaps().get(0).nanos()).isEqualTo(1_000_000_000);
        assertThat(verdict.overlaps().get(0).older().node()).isEqualTo("a");
    }

    @Test
    void an_answer_that_took_long_proves_nothing_about_the_time_that_it_took() {
        Verdict verdict = history.leads("b", 2, 2000, 9000)
                .answers("a", true, 1, 0, 1)
                .answers("a", true, 1, 1900, 5000)
                .answers("a", false, 0, 5001, 5001)
                .judgedAt(9000);
        assertThat(verdict.overlaps()).isEmpty();
    }

    @Test
    void a_paused_leader_that_asks_nothing_believes_nothing() {
        Verdict verdict = history.answers("a", true, 1, 0, 0)
                .answers("a", true, 1, 1000, 1000)
                .leads("b", 2, 1010, 4000)
                .answers("a", false, 0, 3500, 3500)
                .judgedAt(4000);
        assertThat(verdict.violations()).isEmpty();
    }

    @Test
    void a_change_of_primaries_excuses_no_overlap() {
        Verdict verdict = history.leads("a", 1, 0, 5000)
                .fault(4000, 4500, "x", OTHER_PRIMARY, SUSPECT_STORE, UNREACHABLE_LEADER, FRESH_NODE)
                .leads("b", 2, 4600, 9000)
                .judgedAt(9000);
        assertThat(verdict.violations()).singleElement().isInstanceOf(Violation.TwoLeaders.class);
    }

    @Test
    void an_overlap_while_two_primaries_answer_is_reported_apart() {
        Verdict verdict = history.leads("a", 1, 0, 5000)
                .fault(4000, 4500, "x", TWO_PRIMARIES)
                .leads("b", 2, 4600, 9000)
                .judgedAt(9000);
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.overlaps()).singleElement().matches(Overlap::beyondALease);
        assertThat(verdict.overlaps().get(0).nanos()).isEqualTo(400_000_000);
    }

    @Test
    void a_forgetful_store_excuses_an_overlap_only_if_the_leader_is_cut_off_and_the_others_are_fresh() {
        assertThat(overlapWith().violations()).hasSize(1);
        assertThat(overlapWith(UNREACHABLE_LEADER).violations()).hasSize(1);
        assertThat(overlapWith(FRESH_NODE).violations()).hasSize(1);
        assertThat(overlapWith(UNREACHABLE_LEADER, FRESH_NODE).violations()).isEmpty();
    }

    private static Verdict overlapWith(Consequence... more) {
        return new Doctored()
                .leads("a", 1, 0, 5000)
                .fault(0, 4000, 4500, "x", FORGETFUL_STORE)
                .fault(0, 4000, 4500, "x", more)
                .leads("b", 2, 4600, 9000)
                .judgedAt(9000);
    }

    @Test
    void a_record_of_long_ago_excuses_an_overlap_until_the_lease_of_the_leader_before_has_ended() {
        assertThat(overlapWithOldRecord(Doctored.LEASE).violations()).isEmpty();
        assertThat(overlapWithOldRecord(Doctored.LEASE + 10).violations()).hasSize(1);
    }

    private static Verdict overlapWithOldRecord(long millis) {
        return new Doctored()
                .leads("a", 1, 0, 4600 + millis)
                .fault(4000, 4500, "x", OLD_RECORD)
                .leads("b", 2, 4600, 9000)
                .judgedAt(9000);
    }

    @Test
    void two_primaries_long_ago_excuse_no_overlap() {
        Verdict verdict = history.leads("a", 1, 0, 9000)
                .fault(1000, 1500, "x", TWO_PRIMARIES)
                .leads("b", 2, 8000, 9000)
                .judgedAt(9000);
        assertThat(verdict.violations()).hasAtLeastOneElementOfType(Violation.TwoLeaders.class);
    }

    @Test
    void a_leadership_with_the_token_of_another_or_an_older_one_is_found() {
        assertThat(new Doctored()
                        .leads("a", 5, 0, 1000)
                        .leads("b", 5, 1010, 2000)
                        .judgedAt(2000)
                        .violations())
                .singleElement()
                .isInstanceOf(Violation.TokenNotRising.class);
        assertThat(new Doctored()
                        .leads("a", 5, 0, 1000)
                        .leads("a", 4, 1010, 2000)
                        .judgedAt(2000)
                        .violations())
                .singleElement()
                .isInstanceOf(Violation.TokenNotRising.class);
    }

    @Test
    void a_belief_that_flickers_keeps_its_token() {
        Verdict verdict =
                history.leads("a", 5, 0, 1000).leads("a", 5, 1010, 2000).judgedAt(2000);
        assertThat(verdict.violations()).isEmpty();
    }

    @Test
    void a_resource_that_accepts_an_older_token_after_a_newer_one_is_found() {
        history.leads("a", 1, 0, 1000);
        assertThat(history.write("jdbc", 2, 1)
                        .write("jdbc", 3, 2)
                        .write("redis", 2, 1)
                        .write("redis", 2, 0)
                        .judgedAt(1000)
                        .violations())
                .isEmpty();
        assertThat(history.write("jdbc", 2, 3).judgedAt(1000).violations())
                .singleElement()
                .isInstanceOf(Violation.FenceBroken.class);
    }

    @Test
    void a_resource_that_counts_two_writes_as_one_is_found() {
        assertThat(history.leads("a", 1, 0, 1000)
                        .write("jdbc", 2, 1)
                        .write("jdbc", 2, 1)
                        .judgedAt(1000)
                        .violations())
                .singleElement()
                .isInstanceOf(Violation.FenceBroken.class);
    }

    @Test
    void whoever_does_not_lead_when_asked_to_at_the_end_is_stuck() {
        Verdict verdict = history.leads("a", 1, 0, 5000)
                .mustered(4500, "a", "b")
                .leads("c", 2, 5010, 9000)
                .judgedAt(9000);
        assertThat(verdict.violations()).containsExactly(new Violation.Stuck("b"));
    }

    @Test
    void a_group_that_never_came_to_the_end_is_stuck() {
        Verdict verdict = new Doctored()
                .leads("a", 1, 0, 5000)
                .fault(4990, 5000, "a", ORPHANED_LEASE, NO_ELECTION, LOST_CONNECTIONS)
                .mustered(60_000, "a")
                .judgedAt(60_000);
        assertThat(verdict.violations())
                .hasAtLeastOneElementOfType(Violation.NoLeader.class)
                .hasAtLeastOneElementOfType(Violation.Stuck.class);
    }

    @Test
    void a_run_that_was_cut_off_proves_nothing_about_its_end() {
        assertThat(history.leads("a", 1, 0, 5000).cutOff().violations()).containsExactly(new Violation.CutOff());
    }

    @Test
    void who_sees_a_process_that_is_gone_or_sees_only_late_that_it_is_gone_is_found() {
        history.joined("a", 0).joined("b", 0).joined("c", 0).leads("a", 1, 0, 30_000);
        history.sees("a", 100, "a", "b", "c").sees("b", 100, "a", "b", "c").ended("c", 10_000);
        history.sees("a", 10_000 + 5 * Doctored.LEASE, "a", "b");
        assertThat(history.mustered(30_000, "a").judgedAt(30_000).violations())
                .containsExactly(new Violation.WrongRoster("b", List.of("a", "b", "c"), List.of("a", "b"), 0));
        history.sees("b", 10_001 + 5 * Doctored.LEASE, "a", "b");
        assertThat(history.judgedAt(30_000).violations())
                .containsExactly(new Violation.WrongRoster("b", List.of("a", "b"), List.of("a", "b"), 1_000_000));
        history.stalled("b", 12_000, 12_001);
        assertThat(history.judgedAt(30_000).violations()).isEmpty();
    }

    @Test
    void a_process_that_uses_more_and_more_is_found() {
        history.leads("a", 1, 0, 1000);
        for (int i = 0; i < 100; i++) {
            history.uses("steady", 20 + i % 3, 15, 9_000_000 + i % 7 * 10_000);
            // A pool that is busy more and more often.
            history.uses("pooled", i % 10 < i / 10 ? 23 : 14, 15, 9_000_000);
            history.uses("leaky", 20 + i, 15 + i, 9_000_000 + i * 100_000L);
        }
        assertThat(history.judgedAt(1000).violations())
                .extracting(violation ->
                        ((Violation.Growing) violation).node() + " " + ((Violation.Growing) violation).what())
                .containsExactly("leaky threads", "leaky files", "leaky heap");
    }
}
