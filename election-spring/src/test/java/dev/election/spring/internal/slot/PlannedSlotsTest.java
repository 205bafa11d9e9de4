package dev.election.spring.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.support.SimpleTriggerContext;

/** For which slot a run is made, whatever the threads of the scheduler do. */
class PlannedSlotsTest {

    private final Deque<Instant> named = new ArrayDeque<>(List.of(second(1), second(2), second(3)));
    private final PlannedSlots slots = new PlannedSlots(context -> named.poll());

    @Test
    void a_run_is_for_the_slot_that_was_named_last() {
        plan();

        assertThat(slots.take(second(1))).isEqualTo(second(1));
        assertThat(slots.take(second(1))).as("another run").isNull();
    }

    @Test
    void a_run_that_begins_a_moment_early_is_for_its_slot() {
        plan();

        assertThat(slots.take(second(1).minusMillis(1))).isEqualTo(second(1));
    }

    @Test
    void a_scheduler_that_names_the_next_slot_before_the_run_begins_changes_nothing() {
        plan();
        plan();

        assertThat(slots.take(second(1).plusMillis(300))).isEqualTo(second(1));
        assertThat(slots.take(second(2))).isEqualTo(second(2));
    }

    @Test
    void a_run_that_was_dropped_does_not_delay_the_names_of_later_ones() {
        plan();
        plan();
        // Nothing asks for the first one.

        assertThat(slots.take(second(2))).isEqualTo(second(2));
        plan();
        assertThat(slots.take(second(3))).isEqualTo(second(3));
    }

    @Test
    void runs_that_are_late_together_are_for_different_slots() {
        plan();
        plan();

        assertThat(List.of(slots.take(second(9)), slots.take(second(9))))
                .containsExactlyInAnyOrder(second(1), second(2));
    }

    private void plan() {
        slots.nextExecution(new SimpleTriggerContext());
    }

    private static Instant second(long number) {
        return Instant.ofEpochSecond(number);
    }
}
