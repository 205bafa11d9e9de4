package dev.election.quartz.internal.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Date;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.quartz.TriggerKey;

class TriggerSlotsTest {

    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    @Test
    void the_slots_of_many_triggers_are_told_in_one_sentence() {
        assertThat(slotsOf(5))
                .hasToString("the 10 slots from 2026-11-20T12:00:00Z to 2026-11-20T12:00:05Z of DEFAULT.t0, DEFAULT.t1,"
                        + " DEFAULT.t2 and 2 more triggers");
    }

    @Test
    void a_fourth_trigger_is_one_more() {
        assertThat(slotsOf(4).toString()).endsWith("DEFAULT.t2 and 1 more trigger");
    }

    @Test
    void a_trigger_whose_slots_are_found_in_parts_is_named_once() {
        TriggerKey trigger = new TriggerKey("t");
        assertThat(new TriggerSlots(missed(2, 0), trigger).and(new TriggerSlots(missed(2, 4), trigger)))
                .hasToString("the 4 slots from 2026-11-20T12:00:00Z to 2026-11-20T12:00:05Z of DEFAULT.t");
    }

    @Test
    void one_slot_of_one_trigger_is_named_by_itself() {
        assertThat(new TriggerSlots(new Missed(1, Date.from(NOON), Date.from(NOON)), new TriggerKey("t", "g")))
                .hasToString("the slot 2026-11-20T12:00:00Z of g.t");
    }

    @Test
    void more_slots_than_are_counted_stay_at_least_so_many() {
        assertThat(missed(900, 0).and(missed(900, 0)).toString()).startsWith("the at least 1000 slots");
    }

    private static TriggerSlots slotsOf(int triggers) {
        return IntStream.range(0, triggers)
                .mapToObj(i -> new TriggerSlots(missed(2, i), new TriggerKey("t" + i)))
                .reduce(TriggerSlots::and)
                .orElseThrow();
    }

    private static Missed missed(int count, int second) {
        return new Missed(count, Date.from(NOON.plusSeconds(second)), Date.from(NOON.plusSeconds(second + 1)));
    }
}
