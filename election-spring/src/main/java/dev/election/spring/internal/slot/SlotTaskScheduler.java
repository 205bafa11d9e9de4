package dev.election.spring.internal.slot;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.support.CronTrigger;

/** The scheduler of the application, which lets methods that it calls by a cron expression know the slot that they are called for. */
public final class SlotTaskScheduler implements TaskScheduler {

    private final TaskScheduler scheduler;

    /** The slots of each trigger that schedules a task. */
    private final Map<Trigger, PlannedSlots> planned = new ConcurrentHashMap<>();

    public SlotTaskScheduler(TaskScheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public Clock getClock() {
        return scheduler.getClock();
    }

    @Override
    public @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
        if (!(trigger instanceof CronTrigger)) {
            return scheduler.schedule(task, trigger);
        }
        PlannedSlots slots = new PlannedSlots(trigger);
        planned.put(trigger, slots);
        return scheduler.schedule(new SlotTask(task, slots), slots);
    }

    /** The clock by which that trigger is called; that of the system if it is not known. */
    public Clock clockOf(Trigger trigger) {
        PlannedSlots slots = planned.get(trigger);
        return slots == null ? getClock() : slots.clock();
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
        return scheduler.schedule(task, startTime);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant startTime, Duration period) {
        return scheduler.scheduleAtFixedRate(task, startTime, period);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
        return scheduler.scheduleAtFixedRate(task, period);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant startTime, Duration delay) {
        return scheduler.scheduleWithFixedDelay(task, startTime, delay);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
        return scheduler.scheduleWithFixedDelay(task, delay);
    }

    /** Runs a task for the slot that is due. */
    private static final class SlotTask implements SchedulingAwareRunnable {

        private final Runnable task;
        private final PlannedSlots slots;

        private SlotTask(Runnable task, PlannedSlots slots) {
            this.task = task;
            this.slots = slots;
        }

        @Override
        public void run() {
            Instant slot = slots.take(slots.clock().instant());
            if (slot == null) {
                task.run();
            } else {
                new SlotCall(slots.trigger(), slot.toEpochMilli(), SlotCall.Kind.DUE, null).make(task);
            }
        }

        @Override
        public boolean isLongLived() {
            return task instanceof SchedulingAwareRunnable aware && aware.isLongLived();
        }

        @Override
        public @Nullable String getQualifier() {
            return task instanceof SchedulingAwareRunnable aware ? aware.getQualifier() : null;
        }

        @Override
        public String toString() {
            return task.toString();
        }
    }
}
