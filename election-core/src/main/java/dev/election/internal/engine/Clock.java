package dev.election.internal.engine;

import dev.election.internal.protocol.Now;
import java.time.Instant;

/** The two clocks of a node. Measured is only by the first, shown only the second. */
public interface Clock {

    /** Monotonic; counts on while the process is paused. */
    long nanos();

    /** The time of day. */
    Instant wall();

    default Now now() {
        return new Now(nanos(), wall());
    }

    /** The clocks of the machine. */
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
