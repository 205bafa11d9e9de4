package dev.election.spring.internal.delay;

import java.time.Duration;
import java.time.Instant;

/** Runs tasks after a delay and tells the time, so that tests can control both. */
public interface DelayedTasks {

    /** Nothing to cancel. */
    Planned NOTHING_PLANNED = () -> {};

    /** Runs the task once after the delay. */
    Planned after(Duration delay, Runnable task);

    /** The wall-clock time, for display only. */
    Instant now();

    /** A scheduled task, which can be cancelled. */
    @FunctionalInterface
    interface Planned {
        void cancel();
    }
}
