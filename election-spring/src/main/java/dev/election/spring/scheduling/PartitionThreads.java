package dev.election.spring.scheduling;

import dev.election.spring.internal.slot.SlotTaskScheduler;
import java.time.Clock;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The threads on which the methods of a group of partitions are called: as many as partitions are led or still worked on, but not too many. There is none before that. */
final class PartitionThreads {

    /** Most threads unless the application says how many. */
    private static final int MOST = 8;

    private final String group;

    /** How many threads the application wants, {@code null} unless it says so. */
    private final @Nullable Integer wanted;

    /** The clock of the application's scheduler. */
    private final Supplier<Clock> clock;

    /** Guarded by this. */
    private final Set<PartitionSchedule> users = new HashSet<>();

    /** Guarded by this. */
    private @Nullable ThreadPoolTaskScheduler pool;

    /** The pool for cron expressions. Guarded by this. */
    private @Nullable SlotTaskScheduler telling;

    /** Guarded by this. */
    private boolean isClosed;

    PartitionThreads(String group, @Nullable Integer wanted, Supplier<Clock> clock) {
        this.group = group;
        this.wanted = wanted;
        this.clock = clock;
    }

    synchronized void use(PartitionSchedule schedule) {
        users.add(schedule);
        resize();
    }

    synchronized void leave(PartitionSchedule schedule) {
        users.remove(schedule);
        resize();
    }

    private void resize() {
        if (pool != null) {
            pool.setPoolSize(size());
        }
    }

    private int size() {
        if (wanted != null) {
            return wanted;
        }
        long partitions =
                users.stream().map(PartitionSchedule::partition).distinct().count();
        return Math.max(1, Math.toIntExact(Math.min(MOST, partitions)));
    }

    /** Begins a schedule, or plans one call; {@code null} if the application is closed. */
    synchronized @Nullable ScheduledFuture<?> schedule(Runnable call, SlotTaskScheduler.Plan plan) {
        if (isClosed) {
            return null;
        }
        if (pool == null || telling == null) {
            pool = new ThreadPoolTaskScheduler();
            pool.setClock(clock.get());
            pool.setThreadNamePrefix(group + "-");
            pool.setRemoveOnCancelPolicy(true);
            pool.setPoolSize(size());
            pool.initialize();
            telling = new SlotTaskScheduler(pool, SlotTaskScheduler.Diversion.NONE);
        }
        try {
            return plan.begin(telling, call);
        } catch (TaskRejectedException closed) {
            return null;
        }
    }

    synchronized void close() {
        isClosed = true;
        if (pool != null) {
            pool.shutdown();
        }
    }
}
