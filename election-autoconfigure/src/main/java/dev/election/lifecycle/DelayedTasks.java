package dev.election.lifecycle;

import java.time.Duration;
import java.time.Instant;

/** What is done later, and what time it is, so that tests can drive both by hand. */
interface DelayedTasks {

    /** Nothing to cancel. */
    Planned NOTHING_PLANNED = () -> {};

    /** Does that once after the delay. */
    Planned after(Duration delay, Runnable task);

    /** What time it is, to be shown. */
    Instant now();

    /** Something that is done later, unless it is cancelled before. */
    @FunctionalInterface
    interface Planned {
        void cancel();
    }
}
