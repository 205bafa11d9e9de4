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
    public interface Diversion {

        boolean takes(Runnable task);

        void byTrigger(Runnable task, Trigger trigger);

        void atFixedRate(Runnable task, Duration delay, Duration period);

        void withFixedDelay(Runnable task, Duration delay, Duration pause);

        void once(Runnable task);
    }

    @Override
    public Clock getClock() {
        return scheduler.getClock();
    }

    @Override
    public @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
        if (!diversion.takes(task)) {
            return scheduler.schedule(task, trigger);
        }
        // The slots of partitions are not recorded, so that each follows the trigger as Spring has made it.
        diversion.byTrigger(task, trigger instanceof PlannedSlots planned ? planned.trigger() : trigger);
        return new Diverted();
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
        if (!diversion.takes(task)) {
            return scheduler.schedule(task, startTime);
        }
        diversion.once(task);
        return new Diverted();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant startTime, Duration period) {
        if (!diversion.takes(task)) {
            return scheduler.scheduleAtFixedRate(task, startTime, period);
        }
        diversion.atFixedRate(task, until(startTime), period);
        return new Diverted();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
        if (!diversion.takes(task)) {
            return scheduler.scheduleAtFixedRate(task, period);
        }
        diversion.atFixedRate(task, Duration.ZERO, period);
        return new Diverted();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant startTime, Duration delay) {
        if (!diversion.takes(task)) {
            return scheduler.scheduleWithFixedDelay(task, startTime, delay);
        }
        diversion.withFixedDelay(task, until(startTime), delay);
        return new Diverted();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
        if (!diversion.takes(task)) {
            return scheduler.scheduleWithFixedDelay(task, delay);
        }
        diversion.withFixedDelay(task, Duration.ZERO, delay);
        return new Diverted();
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
