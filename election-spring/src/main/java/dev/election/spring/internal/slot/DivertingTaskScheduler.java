package dev.election.spring.internal.slot;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;

/** The scheduler of the application, without some tasks that are called in another way. */
public final class DivertingTaskScheduler implements TaskScheduler {

    private final TaskScheduler scheduler;
    private final Diversion diversion;

    public DivertingTaskScheduler(TaskScheduler scheduler, Diversion diversion) {
        this.scheduler = scheduler;
        this.diversion = diversion;
    }

    /** The receiver of some tasks. */
    @FunctionalInterface
    public interface Diversion {

        /**
         * Returns whether a task is taken: then this scheduler does not run it.
         *
         * @param plan when it is to run, {@code null} for once
         */
        boolean takes(Runnable task, @Nullable Plan plan);
    }

    /** A plan of when a task runs. */
    @FunctionalInterface
    public interface Plan {

        /** Begins to run a task by it on that scheduler. */
        @Nullable
        ScheduledFuture<?> begin(TaskScheduler scheduler, Runnable task);
    }

    @Override
    public Clock getClock() {
        return scheduler.getClock();
    }

    @Override
    public @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
        // The slots of partitions are not recorded, so that each follows the trigger as Spring has made it.
        Trigger original = trigger instanceof PlannedSlots planned ? planned.trigger() : trigger;
        return diversion.takes(task, (by, same) -> by.schedule(same, original))
                ? new Diverted()
                : scheduler.schedule(task, trigger);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
        return diversion.takes(task, null) ? new Diverted() : scheduler.schedule(task, startTime);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant startTime, Duration period) {
        Duration delay = until(startTime);
        return diversion.takes(task, (by, same) -> by.scheduleAtFixedRate(same, after(by, delay), period))
                ? new Diverted()
                : scheduler.scheduleAtFixedRate(task, startTime, period);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
        return diversion.takes(task, (by, same) -> by.scheduleAtFixedRate(same, period))
                ? new Diverted()
                : scheduler.scheduleAtFixedRate(task, period);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant startTime, Duration pause) {
        Duration delay = until(startTime);
        return diversion.takes(task, (by, same) -> by.scheduleWithFixedDelay(same, after(by, delay), pause))
                ? new Diverted()
                : scheduler.scheduleWithFixedDelay(task, startTime, pause);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration pause) {
        return diversion.takes(task, (by, same) -> by.scheduleWithFixedDelay(same, pause))
                ? new Diverted()
                : scheduler.scheduleWithFixedDelay(task, pause);
    }

    private static Instant after(TaskScheduler scheduler, Duration delay) {
        return scheduler.getClock().instant().plus(delay);
    }

    private Duration until(Instant start) {
        Duration delay = Duration.between(getClock().instant(), start);
        return delay.isNegative() ? Duration.ZERO : delay;
    }

    /** Stands for a task that this scheduler does not run. */
    private static final class Diverted extends CompletableFuture<Void> implements ScheduledFuture<Void> {

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(0, other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}
