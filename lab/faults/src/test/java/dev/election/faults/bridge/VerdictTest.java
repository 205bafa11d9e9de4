package dev.election.faults.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.faults.history.Entry;
import org.junit.jupiter.api.Test;

/** The harness finds what it is there to find, and nothing else. */
class VerdictTest {

    @Test
    void masters_one_after_the_other_are_as_it_should_be() {
        Verdict verdict = new Doctored()
                .master("old1", 0, 1000)
                .master("new1", 1010, 2000)
                .master("old2", 2005, 3000)
                .judgedAt(3000);
        assertThat(verdict.twoMasters()).isEmpty();
        assertThat(verdict.gaps()).isEmpty();
        assertThat(verdict.changes()).isEqualTo(2);
        assertThat(verdict.violations()).isEmpty();
    }

    @Test
    void two_that_overlap_are_found_with_the_length_of_it() {
        Verdict verdict =
                new Doctored().master("old1", 0, 1000).master("new1", 800, 2000).judgedAt(2000);
        assertThat(verdict.twoMasters()).singleElement().satisfies(two -> {
            assertThat(two.one().node()).isEqualTo("old1");
            assertThat(two.other().node()).isEqualTo("new1");
            assertThat(two.nanos()).isEqualTo(200_000_000);
        });
        assertThat(verdict.violations())
                .singleElement()
                .asString()
                .startsWith("old1 and new1 were both master for 200.0 ms");
    }

    @Test
    void two_of_the_same_kind_that_overlap_are_found() {
        assertThat(new Doctored()
                        .master("new1", 0, 1000)
                        .master("new2", 900, 2000)
                        .judgedAt(2000)
                        .violations())
                .hasSize(1);
    }

    @Test
    void a_single_answer_between_two_of_another_is_found() {
        assertThat(new Doctored()
                        .master("new1", 0, 1000)
                        .answers("old1", true, 503, 504)
                        .judgedAt(1000)
                        .violations())
                .hasSize(1);
    }

    @Test
    void each_of_several_times_is_found() {
        assertThat(new Doctored()
                        .master("new1", 0, 4000)
                        .master("old1", 1005, 1500)
                        .master("old1", 3005, 3100)
                        .judgedAt(4000)
                        .twoMasters())
                .hasSize(2);
    }

    @Test
    void an_answer_that_may_have_been_given_before_the_other_became_master_proves_nothing() {
        assertThat(new Doctored()
                        .answers("old1", true, 0, 700)
                        .master("new1", 300, 1000)
                        .judgedAt(1000)
                        .twoMasters())
                .isEmpty();
    }

    @Test
    void nothing_is_said_of_a_time_in_which_nothing_was_recorded() {
        assertThat(new Doctored()
                        .master("old1", 0, 1000)
                        .master("new1", 1100, 1900)
                        .answers("old1", true, 2000, 2000)
                        .judgedAt(2000)
                        .twoMasters())
                .isEmpty();
    }

    @Test
    void after_an_old_node_was_inside_its_lock_for_too_long_the_window_is_allowed_and_measured() {
        Verdict verdict = new Doctored()
                .master("new1", 0, 5900)
                .registered("old1", 1000, 5000)
                .master("old1", 5001, 7000)
                .judgedAt(7000);
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.windows()).singleElement().satisfies(two -> assertThat(two.nanos())
                .isEqualTo(899_000_000));
    }

    @Test
    void a_window_in_which_somebody_was_silent_is_one_all_the_same() {
        Verdict verdict = new Doctored()
                .master("new1", 0, 5900)
                .registered("old1", 1000, 5000)
                .master("old1", 5001, 5201)
                .master("old1", 5501, 7000)
                .judgedAt(7000);
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.twoMasters()).hasSize(2);
        assertThat(verdict.windows()).singleElement().satisfies(two -> assertThat(two.nanos())
                .isEqualTo(899_000_000));
    }

    @Test
    void the_window_is_not_allowed_to_last_longer_than_until_the_next_renewal() {
        long tooLong = 5000 + Doctored.PACE.longestWindow().toMillis() + 100;
        assertThat(new Doctored()
                        .master("new1", 0, tooLong)
                        .registered("old1", 1000, 5000)
                        .master("old1", 5001, 9000)
                        .judgedAt(9000)
                        .violations())
                .hasSize(1);
    }

    @Test
    void a_second_time_after_the_same_late_write_is_not_allowed() {
        assertThat(new Doctored()
                        .master("new1", 0, 5500)
                        .registered("old1", 1000, 5000)
                        .master("old1", 5001, 15_000)
                        .master("new1", 12_005, 12_100)
                        .judgedAt(15_000)
                        .violations())
                .hasSize(1);
    }

    @Test
    void an_old_node_that_wrote_within_the_life_of_its_lock_has_no_excuse() {
        assertThat(new Doctored()
                        .master("new1", 0, 5500)
                        .registered("old1", 4000, 5000)
                        .master("old1", 5001, 7000)
                        .judgedAt(7000)
                        .violations())
                .hasSize(1);
    }

    @Test
    void the_late_write_of_one_old_node_does_not_excuse_another() {
        assertThat(new Doctored()
                        .master("new1", 0, 5500)
                        .registered("old2", 1000, 5000)
                        .master("old1", 5001, 7000)
                        .judgedAt(7000)
                        .violations())
                .hasSize(1);
    }

    @Test
    void a_slot_that_two_masters_ran_is_found() {
        Verdict verdict = new Doctored()
                .master("old1", 0, 1000)
                .master("new1", 800, 2000)
                .ran("old1", 8, 900)
                .ran("new1", 8, 901)
                .ran("new1", 9, 1000)
                .judgedAt(2000);
        assertThat(verdict.doubledRuns()).hasSize(1);
        assertThat(verdict.runsByTwoMasters()).hasSize(1);
    }

    @Test
    void a_slot_into_which_a_change_fell_is_told_apart() {
        Verdict verdict = new Doctored()
                .master("old1", 0, 905)
                .master("new1", 920, 2000)
                .ran("old1", 9, 900)
                .ran("new1", 9, 950)
                .judgedAt(2000);
        assertThat(verdict.doubledRuns()).hasSize(1);
        assertThat(verdict.runsByTwoMasters()).isEmpty();
    }

    @Test
    void a_run_of_the_job_says_as_much_as_an_answer() {
        assertThat(new Doctored()
                        .master("new1", 0, 1000)
                        .ran("old1", 5, 503)
                        .judgedAt(1000)
                        .violations())
                .hasSize(1);
    }

    @Test
    void nobody_is_master_for_no_longer_than_the_old_key_lives_and_a_check_takes() {
        long longest = Doctored.PACE.longestGap().toMillis();
        assertThat(withGap(longest - 100).violations()).isEmpty();
        assertThat(withGap(longest + 100).violations())
                .singleElement()
                .asString()
                .startsWith("nobody was master for 11.1 s");
    }

    @Test
    void nobody_until_the_end_is_a_gap_too() {
        assertThat(new Doctored().master("old1", 0, 1000).judgedAt(20_000).violations())
                .hasSize(1);
        assertThat(new Doctored().judgedAt(20_000).violations()).hasSize(1);
    }

    @Test
    void a_dead_master_that_old_nodes_keep_counts_only_from_its_end() {
        Doctored records = new Doctored()
                .joined("old1", 0)
                .joined("old2", 0)
                .joined("new1", 0)
                .master("old1", 0, 1000)
                .ended("old1", 1000)
                .key("old1", 0, 20_000)
                .key("", 20_000, 23_000)
                .master("new1", 23_000, 24_000);
        Verdict verdict = records.judgedAt(24_000);
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.gaps()).singleElement().satisfies(gap -> {
            assertThat(gap.nanos()).isEqualTo(22_000_000_000L);
            assertThat(gap.countedNanos()).isEqualTo(3_100_000_000L);
        });
    }

    @Test
    void a_dead_master_that_nobody_keeps_is_no_excuse() {
        assertThat(new Doctored()
                        .joined("old1", 0)
                        .joined("new1", 0)
                        .master("old1", 0, 1000)
                        .ended("old1", 1000)
                        .key("old1", 0, 20_000)
                        .master("new1", 20_000, 21_000)
                        .judgedAt(21_000)
                        .violations())
                .hasSize(1);
    }

    @Test
    void a_dead_new_master_is_an_excuse_only_if_no_other_new_node_lives() {
        assertThat(afterDeathOfNew("new2").violations()).hasSize(1);
        assertThat(afterDeathOfNew("old2").violations()).isEmpty();
    }

    @Test
    void nobody_is_expected_to_lead_while_every_node_is_stopped() {
        assertThat(new Doctored()
                        .joined("old1", 0)
                        .stalled("old1", 0, 20_000)
                        .key("", 0, 20_000)
                        .master("old1", 20_500, 21_000)
                        .judgedAt(21_000)
                        .violations())
                .isEmpty();
    }

    @Test
    void a_time_without_a_master_does_not_count_while_the_machine_stood_still() {
        assertThat(withGapOfTwelveSeconds().judgedAt(14_000).violations()).hasSize(1);
        assertThat(withGapOfTwelveSeconds()
                        .slept("old1", 2000, 2700)
                        .slept("new1", 2500, 3100)
                        .judgedAt(14_000)
                        .violations())
                .isEmpty();
        assertThat(withGapOfTwelveSeconds()
                        .slept("old1", 2000, 2900)
                        .slept("new1", 2000, 2900)
                        .judgedAt(14_000)
                        .violations())
                .as("both have noticed the same")
                .hasSize(1);
    }

    @Test
    void a_node_that_was_stopped_on_purpose_does_not_tell_of_the_machine() {
        assertThat(withGapOfTwelveSeconds()
                        .stalled("old1", 2000, 3100)
                        .slept("old1", 1995, 3105)
                        .judgedAt(14_000)
                        .violations())
                .hasSize(1);
    }

    private static Doctored withGapOfTwelveSeconds() {
        return new Doctored().master("old1", 0, 1000).master("new1", 13_000, 14_000);
    }

    @Test
    void a_line_that_was_being_written_when_its_process_died_does_not_count() {
        assertThat(Records.parse("Joined new1 5\nEnded new1 7")).containsExactly(new Entry.Joined("new1", 5));
    }

    private static Verdict withGap(long millis) {
        return new Doctored()
                .master("old1", 0, 1000)
                .master("new1", 1000 + millis, 2000 + millis)
                .judgedAt(2000 + millis);
    }

    private static Verdict afterDeathOfNew(String other) {
        return new Doctored()
                .joined("new1", 0)
                .joined("old1", 0)
                .joined(other, 0)
                .master("new1", 0, 1000)
                .ended("new1", 1000)
                .key("election:new1", 0, 20_000)
                .master("old1", 20_000, 21_000)
                .judgedAt(21_000);
    }
}
