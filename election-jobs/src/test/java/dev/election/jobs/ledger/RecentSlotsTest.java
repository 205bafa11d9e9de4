package dev.election.jobs.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.store.InMemoryLedgerStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which slots were run of schedules that nodes share. */
class RecentSlotsTest {

    private static final String SCHEDULE = "a";
    private static final String OTHER = "b";
    private static final String PREFIX = "s/fired/";
    private static final long RETENTION = 1000;

    private final InMemoryLedgerStore ledger = new InMemoryLedgerStore();

    @Test
    void each_slot_is_granted_once_in_any_order() {
        RecentSlots slots = leader(1);

        assertThat(slots.claim(SCHEDULE, 3000)).isTrue();
        assertThat(slots.claim(SCHEDULE, 1000)).isTrue();
        assertThat(slots.claim(SCHEDULE, 3000)).isFalse();
        assertThat(slots.claim(OTHER, 3000)).isTrue();
    }

    @Test
    void a_successor_refuses_what_was_recorded_and_nothing_else() {
        RecentSlots slots = leader(1);
        slots.claim(SCHEDULE, 1000);
        slots.claim(SCHEDULE, 3000);
        slots.record(SCHEDULE, 1);

        RecentSlots successor = leader(2);

        assertThat(successor.claim(SCHEDULE, 1000)).isFalse();
        assertThat(successor.claim(SCHEDULE, 3000)).isFalse();
        assertThat(successor.claim(SCHEDULE, 2000))
                .as("may have been handed back")
                .isTrue();
    }

    @Test
    void a_slot_that_was_claimed_and_not_run_is_granted_once_more() {
        RecentSlots first = leader(1);
        first.claim(SCHEDULE, 1000);
        Set<String> unused = unused(first, 1000);
        first.record(SCHEDULE, 1);

        RecentSlots second = leader(2);
        assertThat(second.claim(SCHEDULE, 1000)).isFalse();
        assertThat(second.claim(SCHEDULE, 1000, unused)).isTrue();
        assertThat(second.claim(SCHEDULE, 1000, unused)).isFalse();
        second.record(SCHEDULE, 1);

        assertThat(leader(3).claim(SCHEDULE, 1000, unused)).isFalse();
    }

    @Test
    void a_slot_that_was_claimed_again_by_the_same_leader_is_not_granted_for_its_earlier_claim() {
        RecentSlots first = leader(1);
        first.claim(SCHEDULE, 1000);
        Set<String> unused = unused(first, 1000);
        first.release(SCHEDULE, 1000);
        assertThat(first.claim(SCHEDULE, 1000, unused)).isTrue();
        assertThat(first.claim(SCHEDULE, 1000, unused)).isFalse();
        first.record(SCHEDULE, 1);

        assertThat(leader(2).claim(SCHEDULE, 1000, unused)).isFalse();
    }

    @Test
    void a_claim_of_an_earlier_leader_than_the_last_is_not_known_any_more() {
        RecentSlots first = leader(1);
        first.claim(SCHEDULE, 1000);
        Set<String> unused = unused(first, 1000);
        first.record(SCHEDULE, 1);
        RecentSlots second = leader(2);
        second.claim(SCHEDULE, 2000);
        second.record(SCHEDULE, 1);

        RecentSlots third = leader(3);

        assertThat(third.claimOf(SCHEDULE, 1000)).isEmpty();
        assertThat(third.claimOf(SCHEDULE, 2000)).isPresent();
        assertThat(third.claim(SCHEDULE, 1000, unused)).isFalse();
        assertThat(third.claim(SCHEDULE, 1000, Set.of(""))).as("of no claim").isFalse();
    }

    @Test
    void what_an_earlier_leader_has_run_may_be_run_again_and_then_not_for_its_claim() {
        RecentSlots first = leader(1);
        first.claim(SCHEDULE, 1000);
        Set<String> unused = unused(first, 1000);
        assertThat(first.claimRerun(SCHEDULE, 1000)).as("by itself").isFalse();
        first.record(SCHEDULE, 1);

        RecentSlots second = leader(2);

        assertThat(second.claimRerun(SCHEDULE, 1000)).isTrue();
        assertThat(second.claim(SCHEDULE, 1000, unused)).isFalse();
        assertThat(second.claimRerun(SCHEDULE, 2000)).as("never seen").isTrue();
    }

    private static Set<String> unused(RecentSlots slots, long slot) {
        return Set.of(slots.claimOf(SCHEDULE, slot).orElseThrow());
    }

    @Test
    void of_each_schedule_it_remembers_the_latest_slots_only() {
        RecentSlots slots = leader(1);
        for (long slot = 1; slot <= 1000; slot++) {
            assertThat(slots.claim(SCHEDULE, slot)).isTrue();
        }
        slots.record(SCHEDULE, 1);

        assertThat(slots.claim(SCHEDULE, 950)).isFalse();
        assertThat(ledger.entries("default").values().iterator().next().split(","))
                .hasSize(64);
    }

    @Test
    void a_schedule_that_is_not_run_any_more_is_forgotten_after_a_while_also_by_a_successor() {
        RecentSlots slots = leader(1);
        slots.claim(SCHEDULE, 1);
        slots.record(SCHEDULE, 10);
        slots.claim(OTHER, 2);
        slots.record(OTHER, 20);

        RecentSlots successor = leader(2);
        successor.claim(OTHER, 3);
        successor.record(OTHER, 10 + RETENTION);
        assertThat(ledger.entries("default")).hasSize(2);
        successor.claim(OTHER, 4);
        successor.record(OTHER, 11 + RETENTION);

        assertThat(ledger.entries("default")).containsOnlyKeys(PREFIX + OTHER);
    }

    @Test
    void a_claim_that_was_never_recorded_does_not_keep_others_from_being_forgotten() {
        RecentSlots slots = leader(1);
        slots.claim("never run", 1);
        slots.claim(SCHEDULE, 1);
        slots.record(SCHEDULE, 10);
        slots.claim(OTHER, 2);
        slots.record(OTHER, 11 + RETENTION);

        assertThat(ledger.entries("default")).containsOnlyKeys(PREFIX + OTHER);
    }

    @Test
    void of_an_entry_that_can_t_be_read_nothing_is_known() {
        FencingToken token = new FencingToken(1);
        Ledger entries = entries(token);
        entries.open();
        entries.write(Map.of(PREFIX + SCHEDULE, "x 1 1"), Set.of());

        assertThat(leader(2).claim(SCHEDULE, 1)).isTrue();
    }

    private RecentSlots leader(long number) {
        FencingToken token = new FencingToken(number);
        Ledger entries = entries(token);
        entries.open();
        return new RecentSlots(entries, token, PREFIX, RETENTION);
    }

    private Ledger entries(FencingToken token) {
        return new Ledger(
                ledger,
                new OwnLeadership("default", token, () -> true),
                new Ledger.Earlier(null, false),
                Pace.ofClaims(Duration.ofMinutes(1)),
                new LedgerProblems(InstantSource.system()).of(new OwnLeadership("default", token, () -> true)),
                new StoreTime(System::nanoTime));
    }
}
