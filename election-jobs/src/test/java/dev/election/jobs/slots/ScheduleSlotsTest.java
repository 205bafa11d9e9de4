package dev.election.jobs.slots;

import static dev.election.jobs.slots.ScheduleSlots.Claim.GRANTED;
import static dev.election.jobs.slots.ScheduleSlots.Claim.RUN_BEFORE;
import static dev.election.jobs.slots.ScheduleSlots.Claim.TOO_EARLY;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which slots were run. */
class ScheduleSlotsTest {

    private static final long NOW = 10_000;

    @Test
    void each_slot_is_granted_once() {
        ScheduleSlots slots = new ScheduleSlots(false).open();

        assertThat(slots.claim(1000)).isEqualTo(GRANTED);
        assertThat(slots.claim(1000)).isEqualTo(RUN_BEFORE);
        assertThat(slots.claim(2000)).isEqualTo(GRANTED);
    }

    @Test
    void slots_may_overtake_each_other_on_their_way_to_their_threads() {
        ScheduleSlots slots = new ScheduleSlots(false).open();

        assertThat(slots.claim(3000)).isEqualTo(GRANTED);
        assertThat(slots.claim(1000)).isEqualTo(GRANTED);
        assertThat(slots.claim(2000)).isEqualTo(GRANTED);
        assertThat(slots.claim(1000)).isEqualTo(RUN_BEFORE);
    }

    @Test
    void it_remembers_no_more_than_it_needs_and_refuses_what_it_has_forgotten() {
        ScheduleSlots slots = new ScheduleSlots(false).open();
        for (long slot = 1; slot <= 1000; slot++) {
            assertThat(slots.claim(slot)).isEqualTo(GRANTED);
        }

        assertThat(slots.claim(1)).isEqualTo(RUN_BEFORE);
        assertThat(slots.format()).isEqualTo("1000 0");
    }

    @Test
    void a_successor_knows_what_was_run_last_and_what_comes_next() {
        ScheduleSlots slots = new ScheduleSlots(false).open();
        slots.claim(1000);
        slots.claim(2000);
        slots.goesOn(2000, 3000);

        ScheduleSlots successor = ScheduleSlots.parse(slots.format()).open();

        assertThat(successor.unsettledFrom(NOW)).isEqualTo(3000);
        assertThat(successor.last()).isEqualTo(2000);
        assertThat(successor.claim(1000)).isEqualTo(RUN_BEFORE);
        assertThat(successor.claim(2000)).isEqualTo(RUN_BEFORE);
        assertThat(successor.claim(3000)).isEqualTo(GRANTED);
    }

    @Test
    void a_successor_looks_again_where_a_slot_was_overtaken_on_the_way_to_its_thread() {
        ScheduleSlots slots = new ScheduleSlots(false).open();
        slots.claim(1000, null);
        slots.claim(2000, 1000L);
        slots.claim(4000, 3000L);
        slots.goesOn(4000, 5000);

        ScheduleSlots successor = ScheduleSlots.parse(slots.format()).open();
        assertThat(successor.unsettledFrom(NOW)).isEqualTo(2001);
        assertThat(successor.claimMissed(2000)).isEqualTo(RUN_BEFORE);
        assertThat(successor.claimMissed(3000)).isEqualTo(GRANTED);
        assertThat(successor.claimMissed(4000)).isEqualTo(RUN_BEFORE);

        slots.claim(3000, 2000L);
        assertThat(slots.format()).isEqualTo("4000 5000");
    }

    @Test
    void what_was_given_out_before_this_leadership_is_not_waited_for() {
        ScheduleSlots slots = ScheduleSlots.parse("1000 2000").open();
        slots.givenOutFrom(4000);
        slots.claim(4000, 3000L);
        slots.goesOn(4000, 5000);
        assertThat(slots.format()).isEqualTo("4000 5000");

        ScheduleSlots unknown = new ScheduleSlots(false).open();
        unknown.claim(4000, 3000L);
        unknown.goesOn(4000, 5000);
        assertThat(unknown.format()).isEqualTo("4000 5000");
    }

    @Test
    void a_successor_looks_again_where_a_missed_slot_was_overtaken() {
        ScheduleSlots slots = ScheduleSlots.parse("1000 2000").open();
        slots.catchUp("c", 2000);
        slots.claimMissed(4000, 3000L);
        slots.claimMissed(2000, null);
        slots.goesOn(1000, 5000);
        slots.caughtUp("c");

        ScheduleSlots successor = ScheduleSlots.parse(slots.format()).open();
        assertThat(successor.unsettledFrom(NOW)).isEqualTo(2001);
        assertThat(successor.claimMissed(3000)).isEqualTo(GRANTED);
        assertThat(successor.claimMissed(4000)).isEqualTo(RUN_BEFORE);
    }

    @Test
    void a_slot_that_was_run_before_still_tells_which_one_was_given_out_before_it() {
        ScheduleSlots slots = ScheduleSlots.parse("1000 2000 3000,5000").open();
        slots.catchUp("c", 2000);
        assertThat(slots.claimMissed(5000, 4000L)).isEqualTo(RUN_BEFORE);
        slots.claimMissed(2000, null);
        slots.caughtUp("c");

        assertThat(ScheduleSlots.parse(slots.format()).unsettledFrom(NOW)).isEqualTo(3001);
    }

    @Test
    void a_successor_looks_again_where_catching_up_was_not_finished() {
        ScheduleSlots slots = ScheduleSlots.parse("1000 2000").open();
        slots.catchUp("catch-up", 2000);
        slots.claimMissed(3000);
        slots.claim(5000);
        slots.goesOn(5000, 6000);

        ScheduleSlots successor = ScheduleSlots.parse(slots.format()).open();

        assertThat(successor.unsettledFrom(NOW)).isEqualTo(2000);
        assertThat(successor.claim(1000)).isEqualTo(RUN_BEFORE);
        assertThat(successor.claim(2000)).isEqualTo(GRANTED);
        assertThat(successor.claim(3000)).isEqualTo(RUN_BEFORE);
        assertThat(successor.claim(4000)).isEqualTo(GRANTED);
        assertThat(successor.claim(5000)).isEqualTo(RUN_BEFORE);
        assertThat(successor.claim(6000)).isEqualTo(GRANTED);
    }

    @Test
    void when_it_has_caught_up_a_successor_need_not_look_there() {
        ScheduleSlots slots = ScheduleSlots.parse("1000 2000").open();
        slots.catchUp("catch-up", 2000);
        slots.claimMissed(2000);
        slots.claim(3000);
        slots.goesOn(3000, 4000);

        assertThat(slots.caughtUp("catch-up")).isTrue();

        assertThat(slots.caughtUp("catch-up")).isFalse();
        assertThat(slots.format()).isEqualTo("3000 4000");
    }

    @Test
    void a_slot_that_was_run_late_is_not_looked_for_again() {
        ScheduleSlots slots = ScheduleSlots.parse("1000 2000").open();
        slots.catchUp("catch-up", 2000);
        // Quartz moves a misfire to the time at which it is run.
        slots.claimMissed(2500);
        slots.caughtUp("catch-up");

        assertThat(ScheduleSlots.parse(slots.format()).unsettledFrom(NOW)).isEqualTo(2501);
    }

    @Test
    void what_comes_next_is_what_the_latest_slot_says() {
        ScheduleSlots slots = new ScheduleSlots(false).open();
        slots.claim(1000);
        slots.goesOn(1000, 100_000);
        slots.claim(3000);
        slots.goesOn(3000, 4000);
        slots.claim(2000);
        slots.goesOn(2000, 3000);

        assertThat(ScheduleSlots.parse(slots.format()).unsettledFrom(NOW)).isEqualTo(4000);
    }

    @Test
    void of_a_schedule_that_was_given_other_times_since_the_past_is_settled_and_no_more() {
        assertThat(ScheduleSlots.parse("1000 90000").unsettledFrom(NOW)).isEqualTo(NOW);
        assertThat(ScheduleSlots.parse("20000 90000").unsettledFrom(NOW))
                .as("run by a leader whose clock is ahead")
                .isEqualTo(20_001);
    }

    @Test
    void catching_up_that_was_abandoned_is_never_finished() {
        ScheduleSlots slots = ScheduleSlots.parse("1000 2000").open();
        slots.catchUp("catch-up", 2000);

        slots.abandon("catch-up");

        assertThat(slots.caughtUp("catch-up")).isFalse();
        assertThat(ScheduleSlots.parse(slots.format()).unsettledFrom(NOW)).isEqualTo(2000);
    }

    @Test
    void before_it_is_open_only_missed_slots_are_granted_and_others_are_counted() {
        ScheduleSlots slots = new ScheduleSlots(false);

        assertThat(slots.claim(2000)).isEqualTo(TOO_EARLY);
        assertThat(slots.claimMissed(1000)).isEqualTo(GRANTED);

        assertThat(slots.openUnlessMoreThan(0)).isFalse();
        assertThat(slots.openUnlessMoreThan(slots.heldBack())).isTrue();
        assertThat(slots.claim(2000)).isEqualTo(GRANTED);
    }

    @Test
    void a_schedule_that_has_ended_is_over_unless_something_is_still_caught_up() {
        ScheduleSlots slots = ScheduleSlots.parse("1000 2000").open();
        slots.goesOn(2000, ScheduleSlots.NEVER);
        assertThat(slots.isOver()).isTrue();

        slots.catchUp("catch-up", 1500);

        assertThat(slots.isOver()).isFalse();
    }

    @Test
    void where_nobody_can_have_run_a_slot_that_is_not_recorded_the_look_begins_with_the_schedule() {
        assertThat(new ScheduleSlots(true).unsettledFrom(500, NOW)).isEqualTo(500);
        assertThat(ScheduleSlots.parse("1000 2000", true).unsettledFrom(500, NOW))
                .isEqualTo(2000);
        assertThat(new ScheduleSlots(false).unsettledFrom(500, NOW)).isNull();
    }

    @Test
    void of_an_entry_that_can_t_be_read_nothing_is_known() {
        for (String entry : new String[] {"", "1", "1 x", "1 2 x", "a b c"}) {
            assertThat(ScheduleSlots.parse(entry).unsettledFrom(NOW)).as(entry).isNull();
        }
    }
}
