package dev.election.quartz;

import static dev.election.quartz.SlotLedger.Claim.FIRED_BEFORE;
import static dev.election.quartz.SlotLedger.Claim.GRANTED;
import static dev.election.quartz.SlotLedger.Claim.TOO_EARLY;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Which slots were fired. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class SlotLedgerTest {

    private static final long NOW = 10_000;

    @Test
    void each_slot_is_granted_once() {
        SlotLedger ledger = new SlotLedger().opened();

        assertThat(ledger.claim(1000)).isEqualTo(GRANTED);
        assertThat(ledger.claim(1000)).isEqualTo(FIRED_BEFORE);
        assertThat(ledger.claim(2000)).isEqualTo(GRANTED);
    }

    @Test
    void slots_may_overtake_each_other_on_their_way_to_their_threads() {
        SlotLedger ledger = new SlotLedger().opened();

        assertThat(ledger.claim(3000)).isEqualTo(GRANTED);
        assertThat(ledger.claim(1000)).isEqualTo(GRANTED);
        assertThat(ledger.claim(2000)).isEqualTo(GRANTED);
        assertThat(ledger.claim(1000)).isEqualTo(FIRED_BEFORE);
    }

    @Test
    void it_remembers_no_more_than_it_needs_and_refuses_what_it_has_forgotten() {
        SlotLedger ledger = new SlotLedger().opened();
        for (long slot = 1; slot <= 1000; slot++) {
            assertThat(ledger.claim(slot)).isEqualTo(GRANTED);
        }

        assertThat(ledger.claim(1)).isEqualTo(FIRED_BEFORE);
        assertThat(ledger.format()).isEqualTo("1000 0");
    }

    @Test
    void a_successor_knows_what_was_fired_last_and_what_comes_next() {
        SlotLedger ledger = new SlotLedger().opened();
        ledger.claim(1000);
        ledger.claim(2000);
        ledger.goesOn(2000, 3000);

        SlotLedger successor = SlotLedger.parse(ledger.format()).opened();

        assertThat(successor.unsettledFrom(NOW)).isEqualTo(3000);
        assertThat(successor.last()).isEqualTo(2000);
        assertThat(successor.claim(1000)).isEqualTo(FIRED_BEFORE);
        assertThat(successor.claim(2000)).isEqualTo(FIRED_BEFORE);
        assertThat(successor.claim(3000)).isEqualTo(GRANTED);
    }

    @Test
    void a_successor_looks_again_where_catching_up_was_not_finished() {
        SlotLedger ledger = SlotLedger.parse("1000 2000").opened();
        ledger.catchUp("catch-up", 2000);
        ledger.claimMissed(3000);
        ledger.claim(5000);
        ledger.goesOn(5000, 6000);

        SlotLedger successor = SlotLedger.parse(ledger.format()).opened();

        assertThat(successor.unsettledFrom(NOW)).isEqualTo(2000);
        assertThat(successor.claim(1000)).isEqualTo(FIRED_BEFORE);
        assertThat(successor.claim(2000)).isEqualTo(GRANTED);
        assertThat(successor.claim(3000)).isEqualTo(FIRED_BEFORE);
        assertThat(successor.claim(4000)).isEqualTo(GRANTED);
        assertThat(successor.claim(5000)).isEqualTo(FIRED_BEFORE);
        assertThat(successor.claim(6000)).isEqualTo(GRANTED);
    }

    @Test
    void when_it_has_caught_up_a_successor_need_not_look_there() {
        SlotLedger ledger = SlotLedger.parse("1000 2000").opened();
        ledger.catchUp("catch-up", 2000);
        ledger.claimMissed(2000);
        ledger.claim(3000);
        ledger.goesOn(3000, 4000);

        assertThat(ledger.caughtUp("catch-up")).isTrue();

        assertThat(ledger.caughtUp("catch-up")).isFalse();
        assertThat(ledger.format()).isEqualTo("3000 4000");
    }

    @Test
    void a_slot_that_was_fired_late_is_not_looked_for_again() {
        SlotLedger ledger = SlotLedger.parse("1000 2000").opened();
        ledger.catchUp("catch-up", 2000);
        // Quartz moves a misfire to the time at which it is fired.
        ledger.claimMissed(2500);
        ledger.caughtUp("catch-up");

        assertThat(SlotLedger.parse(ledger.format()).unsettledFrom(NOW)).isEqualTo(2501);
    }

    @Test
    void what_comes_next_is_what_the_latest_slot_says() {
        SlotLedger ledger = new SlotLedger().opened();
        ledger.claim(1000);
        ledger.goesOn(1000, 100_000);
        ledger.claim(3000);
        ledger.goesOn(3000, 4000);
        ledger.claim(2000);
        ledger.goesOn(2000, 3000);

        assertThat(SlotLedger.parse(ledger.format()).unsettledFrom(NOW)).isEqualTo(4000);
    }

    @Test
    void of_a_trigger_that_was_given_other_times_since_the_past_is_settled_and_no_more() {
        assertThat(SlotLedger.parse("1000 90000").unsettledFrom(NOW)).isEqualTo(NOW);
        assertThat(SlotLedger.parse("20000 90000").unsettledFrom(NOW))
                .as("fired by a leader whose clock is ahead")
                .isEqualTo(20_001);
    }

    @Test
    void catching_up_that_was_abandoned_is_never_finished() {
        SlotLedger ledger = SlotLedger.parse("1000 2000").opened();
        ledger.catchUp("catch-up", 2000);

        ledger.abandon("catch-up");

        assertThat(ledger.caughtUp("catch-up")).isFalse();
        assertThat(SlotLedger.parse(ledger.format()).unsettledFrom(NOW)).isEqualTo(2000);
    }

    @Test
    void before_it_is_open_only_missed_slots_are_granted_and_others_are_counted() {
        SlotLedger ledger = new SlotLedger();

        assertThat(ledger.claim(2000)).isEqualTo(TOO_EARLY);
        assertThat(ledger.claimMissed(1000)).isEqualTo(GRANTED);

        assertThat(ledger.openUnlessMoreThan(0)).isFalse();
        assertThat(ledger.openUnlessMoreThan(ledger.heldBack())).isTrue();
        assertThat(ledger.claim(2000)).isEqualTo(GRANTED);
    }

    @Test
    void a_trigger_that_has_ended_is_over_unless_something_is_still_caught_up() {
        SlotLedger ledger = SlotLedger.parse("1000 2000").opened();
        ledger.goesOn(2000, SlotLedger.NEVER);
        assertThat(ledger.isOver()).isTrue();

        ledger.catchUp("catch-up", 1500);

        assertThat(ledger.isOver()).isFalse();
    }

    @Test
    void of_an_entry_that_can_t_be_read_nothing_is_known() {
        for (String entry : new String[] {"", "1", "1 x", "1 2 x", "a b c"}) {
            assertThat(SlotLedger.parse(entry).unsettledFrom(NOW)).as(entry).isNull();
        }
    }
}
