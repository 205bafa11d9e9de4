package dev.election.spring.internal.slot;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.support.CronTrigger;

/**
 * The scheduler of the application, which lets methods that it calls by a cron expression know the slot that they are called for, and does not run
 * tasks that are called in another way.
 */
public final class SlotTaskScheduler implements TaskScheduler {

    private static final ThreadLocal<Boolean> CALLING = ThreadLocal.withInitial(() -> false);

    private final TaskScheduler scheduler;
    private final Diversion diversion;

    /** The slots of each trigger that schedules a task. */
    private final Map<Trigger, PlannedSlots> planned = new ConcurrentHashMap<>();

    public SlotTaskScheduler(TaskScheduler scheduler, Diversion diversion) {
        this.scheduler = scheduler;
        this.diversion = diversion;
    }

    /** The receiver of some tasks. */
    @FunctionalInterface
    public interface Diversion {

        /** Takes no task. */
        Diversion NONE = (task, plan) -> null;

        /**
         * Takes a task, which this scheduler then does not run, and returns what ends its runs; {@code null} if it does not take it.
         *
         * @param plan when it is to run, {@code null} for once
         */
        @Nullable
        Runnable take(Runnable task, @Nullable Plan plan);
    }

    /** A plan of when a task runs. */
    @FunctionalInterface
    public interface Plan {

        /** Begins to run a task by it on that scheduler. */
        @Nullable
        ScheduledFuture<?> begin(TaskScheduler scheduler, Runnable task);
    }

    /** Whether this thread runs a task of such a scheduler. */
    public static boolean isCalling() {
        return CALLING.get();
    }

    @Override
    public Clock getClock() {
        return scheduler.getClock();
    }

    /** The clock by which that trigger is called; that of the system if it is not known. */
    public Clock clockOf(Trigger trigger) {
        PlannedSlots slots = planned.get(trigger);
        return slots == null ? getClock() : slots.clock();
    }

    @Override
    public @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
        Runnable end = diversion.take(task, (by, same) -> by.schedule(same, trigger));
        if (end != null) {
            return new Diverted(end);
        }
        if (!(trigger instanceof CronTrigger)) {
            return scheduler.schedule(new SlotTask(task, null), trigger);
        }
        PlannedSlots slots = new PlannedSlots(trigger);
        planned.put(trigger, slots);
        return scheduler.schedule(new SlotTask(task, slots), slots);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
        Runnable end = diversion.take(task, null);
        return end == null ? scheduler.schedule(new SlotTask(task, null), startTime) : new Diverted(end);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant startTime, Duration period) {
        Duration delay = until(startTime);
        Runnable end = diversion.take(task, (by, same) -> by.scheduleAtFixedRate(same, after(by, delay), period));
        return end == null
                ? scheduler.scheduleAtFixedRate(new SlotTask(task, null), startTime, period)
                : new Diverted(end);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
        Runnable end = diversion.take(task, (by, same) -> by.scheduleAtFixedRate(same, period));
        return end == null ? scheduler.scheduleAtFixedRate(new SlotTask(task, null), period) : new Diverted(end);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant startTime, Duration pause) {
        Duration delay = until(startTime);
        Runnable end = diversion.take(task, (by, same) -> by.scheduleWithFixedDelay(same, after(by, delay), pause));
        return end == null
                ? scheduler.scheduleWithFixedDelay(new SlotTask(task, null), startTime, pause)
                : new Diverted(end);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration pause) {
        Runnable end = diversion.take(task, (by, same) -> by.scheduleWithFixedDelay(same, pause));
        return end == null ? scheduler.scheduleWithFixedDelay(new SlotTask(task, null), pause) : new Diverted(end);
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

        private final Runnable end;

        private Diverted(Runnable end) {
            this.end = end;
        }

        @Override
        public boolean cancel(boolean interrupts) {
            end.run();
            return super.cancel(interrupts);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(0, other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    /** Runs a task, maybe for the slot that is due. */
    private static final class SlotTask implements SchedulingAwareRunnable {

        private final Runnable task;
        private final @Nullable PlannedSlots slots;

        private SlotTask(Runnable task, @Nullable PlannedSlots slots) {
            this.task = task;
            this.slots = slots;
        }

        @Override
        public void run() {
            boolean before = CALLING.get();
            CALLING.set(true);
            try {
                Instant slot = slots == null ? null : slots.take(slots.clock().instant());
                if (slots == null || slot == null) {
                    task.run();
                } else {
                    new SlotCall(slots.trigger(), slot.toEpochMilli(), SlotCall.Kind.DUE, null).make(task);
                }
            } finally {
                CALLING.set(before);
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
