package dev.election.engine;

import java.time.Instant;

/** The two clocks of a node. Durations are measured by the monotonic clock; the wall clock is only shown. */
public interface Clock {

    /** Returns the time of the monotonic clock, which counts on while the process is paused. */
    long nanos();

    /** Returns the time of the wall clock. */
    Instant wall();

    /** Returns the clocks of the machine. */
    static Clock system() {
        return new Clock() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public Instant wall() {
                return Instant.now();
            }
        };
    }
}
