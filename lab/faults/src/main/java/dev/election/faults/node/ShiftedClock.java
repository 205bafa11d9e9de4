package dev.election.faults.node;

import dev.election.engine.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The clocks of a machine whose time of day is wrong, as where nobody sets it.
 *
 * @param machine whose clocks these are
 * @param shift how much its time of day is ahead
 */
record ShiftedClock(Clock machine, Duration shift) implements Clock {

    @Override
    public long nanos() {
        return machine.nanos();
    }

    @Override
    public Instant wall() {
        return machine.wall().plus(shift);
    }
}
