package dev.election.spring.scheduling;

import dev.election.Election;
import dev.election.spring.calls.PartitionCall;
import dev.election.spring.internal.slot.CronSchedule;
import dev.election.spring.internal.slot.SlotTaskScheduler;
import dev.election.support.PartitionName;
import java.lang.reflect.Method;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.TaskScheduler;

/** The scheduler that calls the jobs of a context, with its threads and its clock, as far as it is known yet. Makes late calls in its place. */
final class JobScheduler {

    private static final Logger log = LoggerFactory.getLogger(JobScheduler.class);

    private volatile @Nullable SlotTaskScheduler scheduler;

    /** The methods that are called for each partition, on threads of their own. */
    private volatile @Nullable PartitionedMethods partitioned;

    /** The tasks that wait for a scheduler. Guarded by this. */
    private final List<Consumer<SlotTaskScheduler>> waiting = new ArrayList<>();

    private volatile boolean closed;

    private final Function<String, Object> beans;

    /**
     * @param beans finds the bean of that name
     */
    JobScheduler(Function<String, Object> beans) {
        this.beans = beans;
    }

    /** Sets the scheduler that calls the jobs, but for those that are called for each partition. Returns the one to use in its place. */
    TaskScheduler calledBy(TaskScheduler used, @Nullable PartitionedMethods methods) {
        SlotTaskScheduler telling =
                new SlotTaskScheduler(used, methods == null ? SlotTaskScheduler.Diversion.NONE : methods::take);
        if (methods != null) {
            methods.by(used::getClock);
        }
        List<Consumer<SlotTaskScheduler>> due;
        synchronized (this) {
            partitioned = methods;
            scheduler = telling;
            due = List.copyOf(waiting);
            waiting.clear();
        }
        due.forEach(task -> task.accept(telling));
        return telling;
    }

    /** Runs no more tasks. */
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    long now() {
        SlotTaskScheduler known = scheduler;
        return known == null ? System.currentTimeMillis() : known.getClock().millis();
    }

    /** The time by the clock of the scheduler that calls the job. */
    Instant now(CronSchedule schedule) {
        SlotTaskScheduler known = scheduler;
        return known == null ? Instant.now() : known.clockOf(schedule.trigger()).instant();
    }

    /** Whether the scheduler names the slots of that schedule in the zone in which they are looked for here. */
    boolean agreeOnZone(CronSchedule schedule) {
        SlotTaskScheduler known = scheduler;
        Clock clock = known == null ? null : known.clockOf(schedule.trigger());
        if (clock == null || schedule.isNamedIn(clock.getZone())) {
            return true;
        }
        log.error(
                "The slots of '{}' are computed in the zone {}, but its scheduler uses the zone {}: missed slots are"
                        + " not recovered as they should be. Set the zone in @Scheduled to that of the scheduler",
                schedule.name(),
                schedule.zone(),
                clock.getZone());
        return false;
    }

    /** Runs a task on a thread of the scheduler that calls the job, after a pause. */
    void later(ScheduledJob job, Duration pause, Runnable task) {
        SlotTaskScheduler known;
        synchronized (this) {
            known = scheduler;
            if (known == null) {
                waiting.add(later -> schedule(later, job, pause, task));
            }
        }
        if (known != null) {
            schedule(known, job, pause, task);
        }
    }

    /** Calls the method of a job on this thread, as the scheduler does. Never throws. */
    void call(ScheduledJob job, Election election) {
        Runnable call = () -> call(job.name(), job.method().bean(), job.method().method());
        if (job.isOfPartition()) {
            PartitionCall.make(election, call);
        } else {
            call.run();
        }
    }

    /** Calls a method of that bean on this thread. Never throws. */
    void call(String job, String bean, Method method) {
        MethodCall.make(job, () -> beans.apply(bean), method);
    }

    private void schedule(SlotTaskScheduler by, ScheduledJob job, Duration pause, Runnable task) {
        if (closed) {
            return;
        }
        PartitionedMethods methods = partitioned;
        if (job.isOfPartition() && methods != null) {
            methods.later(PartitionName.groupOf(job.election()), pause, task);
            return;
        }
        try {
            // Its scheduler may have another clock than the usual one.
            ScheduledFuture<?> unused = by.schedule(
                    new Qualified(job.method().scheduler(), task),
                    by.clockOf(job.schedules().get(0).trigger()).instant().plus(pause));
        } catch (TaskRejectedException stopped) {
            log.debug("The scheduler takes no more tasks", stopped);
        }
    }

    /**
     * A task for the scheduler that a job names.
     *
     * @param scheduler its qualifier, empty for the usual one
     * @param task what to do
     */
    private record Qualified(String scheduler, Runnable task) implements SchedulingAwareRunnable {

        @Override
        public void run() {
            task.run();
        }

        @Override
        public String getQualifier() {
            return scheduler;
        }
    }
}
