package dev.election.spring.scheduling;

import dev.election.Election;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.spring.calls.PartitionCall;
import dev.election.spring.internal.slot.SlotTaskScheduler;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a method for one partition. It begins when this process leads the partition and has recovered, and ends with that leadership. One that
 * begins again while an earlier run goes on here waits for it.
 */
final class PartitionSchedule implements LeadershipListener {

    private final Election partition;
    private final Runnable call;
    private final PartitionThreads threads;
    private final SlotTaskScheduler.Plan plan;

    /** Guarded by this. */
    private boolean leads;

    /** Guarded by this. */
    private boolean isRunning;

    /** Guarded by this. */
    private @Nullable ScheduledFuture<?> scheduled;

    /**
     * @param partition that is led
     * @param call of the method
     * @param threads of the group
     * @param plan when to call it
     */
    PartitionSchedule(Election partition, Runnable call, PartitionThreads threads, SlotTaskScheduler.Plan plan) {
        this.partition = partition;
        this.call = call;
        this.threads = threads;
        this.plan = plan;
    }

    String partition() {
        return partition.name();
    }

    void listen() {
        partition.addListener(this);
    }

    /** Begins no call any more. */
    void end() {
        partition.removeListener(this);
        leave();
    }

    @Override
    public synchronized void onAcquired(LeadershipEvent.Acquired event) {
        leads = true;
        threads.use(this);
        begin();
    }

    @Override
    public void onLost(LeadershipEvent.Lost event) {
        leave();
    }

    private synchronized void leave() {
        leads = false;
        if (!isRunning) {
            threads.leave(this);
        }
        if (scheduled != null) {
            scheduled.cancel(false);
            scheduled = null;
        }
    }

    private void begin() {
        if (leads && !isRunning && scheduled == null) {
            scheduled = threads.schedule(this::run, plan);
        }
    }

    private void run() {
        synchronized (this) {
            if (!leads || isRunning) {
                return;
            }
            isRunning = true;
        }
        try {
            PartitionCall.make(partition, call);
        } finally {
            synchronized (this) {
                isRunning = false;
                if (!leads) {
                    threads.leave(this);
                }
                begin();
            }
        }
    }
}
