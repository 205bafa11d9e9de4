package dev.election.quartz.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.quartz.TriggerKey;

class LostSlotsTest {

    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    @Test
    void the_slots_of_many_triggers_are_told_in_one_sentence() {
        LostSlots all = IntStream.range(0, 5)
                .mapToObj(i -> new LostSlots(missed(2, i), List.of(new TriggerKey("t" + i))))
                .reduce(LostSlots::and)
                .orElseThrow();
        assertThat(all)
                .hasToString("the 10 slots from 2026-11-20T12:00:00Z to 2026-11-20T12:00:05Z of DEFAULT.t0, DEFAULT.t1,"
                        + " DEFAULT.t2 and 2 more triggers");
    }

    @Test
    void one_slot_of_one_trigger_is_named_by_itself() {
        assertThat(new LostSlots(new Missed(1, Date.from(NOON), Date.from(NOON)), List.of(new TriggerKey("t", "g"))))
                .hasToString("the slot 2026-11-20T12:00:00Z of g.t");
    }

    @Test
    void more_slots_than_are_counted_stay_at_least_so_many() {
        assertThat(missed(900, 0).and(missed(900, 0)).toString()).startsWith("the at least 1000 slots");
    }

    private static Missed missed(int count, int second) {
        return new Missed(count, Date.from(NOON.plusSeconds(second)), Date.from(NOON.plusSeconds(second + 1)));
    }
}
