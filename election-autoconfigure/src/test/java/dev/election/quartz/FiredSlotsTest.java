package dev.election.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.store.InMemoryLogbook;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.quartz.TriggerKey;

/** Which slots were fired of triggers in a store that nodes share. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class FiredSlotsTest {

    private static final TriggerKey TRIGGER = new TriggerKey("a");
    private static final TriggerKey OTHER = new TriggerKey("b");
    private static final long RETENTION = 1000;

    private final InMemoryLogbook book = new InMemoryLogbook();

    @Test
    void each_slot_is_granted_once_in_any_order() {
        FiredSlots slots = leader(1);

        assertThat(slots.claim(TRIGGER, 3000)).isTrue();
        assertThat(slots.claim(TRIGGER, 1000)).isTrue();
        assertThat(slots.claim(TRIGGER, 3000)).isFalse();
        assertThat(slots.claim(OTHER, 3000)).isTrue();
    }

    @Test
    void a_successor_refuses_what_was_written_down_and_nothing_else() {
        FiredSlots slots = leader(1);
        slots.claim(TRIGGER, 1000);
        slots.claim(TRIGGER, 3000);
        slots.write(TRIGGER, 1);

        FiredSlots successor = leader(2);

        assertThat(successor.claim(TRIGGER, 1000)).isFalse();
        assertThat(successor.claim(TRIGGER, 3000)).isFalse();
        assertThat(successor.claim(TRIGGER, 2000))
                .as("may have been handed back")
                .isTrue();
    }

    @Test
    void of_each_trigger_it_remembers_the_latest_slots_only() {
        FiredSlots slots = leader(1);
        for (long slot = 1; slot <= 1000; slot++) {
            assertThat(slots.claim(TRIGGER, slot)).isTrue();
        }
        slots.write(TRIGGER, 1);

        assertThat(slots.claim(TRIGGER, 950)).isFalse();
        assertThat(book.entries("default").values().iterator().next().split(","))
                .hasSize(64);
    }

    @Test
    void a_trigger_that_does_not_fire_any_more_is_forgotten_after_a_while_also_by_a_successor() {
        FiredSlots slots = leader(1);
        slots.claim(TRIGGER, 1);
        slots.write(TRIGGER, 10);
        slots.claim(OTHER, 2);
        slots.write(OTHER, 20);

        FiredSlots successor = leader(2);
        successor.claim(OTHER, 3);
        successor.write(OTHER, 10 + RETENTION);
        assertThat(book.entries("default")).hasSize(2);
        successor.claim(OTHER, 4);
        successor.write(OTHER, 11 + RETENTION);

        assertThat(book.entries("default")).containsOnlyKeys(EntryName.fired("s", OTHER));
    }

    @Test
    void a_claim_that_was_never_written_does_not_keep_others_from_being_forgotten() {
        FiredSlots slots = leader(1);
        slots.claim(new TriggerKey("never fired"), 1);
        slots.claim(TRIGGER, 1);
        slots.write(TRIGGER, 10);
        slots.claim(OTHER, 2);
        slots.write(OTHER, 11 + RETENTION);

        assertThat(book.entries("default")).containsOnlyKeys(EntryName.fired("s", OTHER));
    }

    @Test
    void of_an_entry_that_can_t_be_read_nothing_is_known() {
        FencingToken token = new FencingToken(1);
        LeaderLog log = log(token);
        log.open();
        log.write(Map.of(EntryName.fired("s", TRIGGER), "x 1"), Set.of());

        assertThat(leader(2).claim(TRIGGER, 1)).isTrue();
    }

    private FiredSlots leader(long number) {
        FencingToken token = new FencingToken(number);
        LeaderLog log = log(token);
        log.open();
        return new FiredSlots(new JobLedger(token, log, RETENTION, false), "s", RETENTION);
    }

    private LeaderLog log(FencingToken token) {
        return new LeaderLog(
                book,
                "default",
                token,
                () -> true,
                Duration.ofMinutes(1),
                null,
                false,
                new LogProblems(InstantSource.system()));
    }
}
