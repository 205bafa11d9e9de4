package dev.election.spring.internal.delay;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Delayed tasks that are done when the test says so. */
public final class HandDrivenTasks implements DelayedTasks {

    private final List<Task> planned = new ArrayList<>();
    private Instant now = Instant.EPOCH;

    /** Lets the delay of the only planned task pass, and does it. */
    public Duration pass() {
        if (planned.size() != 1) {
            throw new AssertionError("Not one task, but " + planned);
        }
        Task due = planned.remove(0);
        now = now.plus(due.delay);
        due.task.run();
        return due.delay;
    }

    public boolean isIdle() {
        return planned.isEmpty();
    }

    @Override
    public Planned after(Duration delay, Runnable task) {
        Task added = new Task(delay, task);
        planned.add(added);
        return () -> planned.remove(added);
    }

    @Override
    public Instant now() {
        return now;
    }

    private record Task(Duration delay, Runnable task) {}
}
