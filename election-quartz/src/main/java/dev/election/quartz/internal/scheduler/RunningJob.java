package dev.election.quartz.internal.scheduler;

import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.OnLoss;
import dev.election.jobs.engine.ClaimedSlot;
import dev.election.jobs.history.JobHistory;
import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.quartz.internal.rules.JobGuard;
import dev.election.quartz.internal.rules.QuartzData;
import dev.election.quartz.internal.trigger.Firing;
import org.jspecify.annotations.Nullable;
import org.quartz.InterruptableJob;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.UnableToInterruptJobException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job that runs, or is about to, because this node leads. Begun and ended by the thread that runs it. */
public final class RunningJob {

    private static final Logger log = LoggerFactory.getLogger(RunningJob.class);

    private final JobGuard guard;
    private final Firing firing;
    private final LeaderWork work;
    private final LeaderWork.Scope scope;
    private final JobExecutionContext context;
    private final @Nullable SchedulerLedger ledger;
    private final Thread thread = Thread.currentThread();

    /** The slot that it runs, {@code null} if it is recorded nowhere, or not claimed yet. */
    private @Nullable ClaimedSlot slot;

    /** Where its run is recorded, {@code null} before it runs. */
    private JobHistory.@Nullable Run run;

    /** The exception that the job has thrown. */
    private @Nullable Throwable failure;

    /** Whether the job was notified of the loss, its thread interrupted, and the job has ended. Guarded by this. */
    private boolean told;

    private boolean interrupted;
    private boolean over;

    /**
     * @param guard what guards it
     * @param firing why it runs
     * @param work as which it was admitted
     * @param context of its firing
     * @param ledger where it is recorded, also when the leadership has ended; {@code null} for nowhere
     */
    public RunningJob(
            JobGuard guard,
            Firing firing,
            LeaderWork work,
            JobExecutionContext context,
            @Nullable SchedulerLedger ledger) {
        this.guard = guard;
        this.firing = firing;
        this.work = work;
        this.context = context;
        this.ledger = ledger;
        this.scope = work.onThisThread();
        context.put(QuartzData.FENCING_TOKEN, work.token());
    }

    public JobGuard guard() {
        return guard;
    }

    public Firing firing() {
        return firing;
    }

    public FencingToken token() {
        return work.token();
    }

    public JobExecutionContext context() {
        return context;
    }

    @Nullable
    public SchedulerLedger ledger() {
        return ledger;
    }

    public @Nullable ClaimedSlot slot() {
        return slot;
    }

    public void claims(ClaimedSlot claimed) {
        slot = claimed;
    }

    /** Waits for the latest record for successors. Returns whether it is written, and the leadership still holds. */
    public boolean isConfirmed() {
        return slot == null ? work.isCurrent() : slot.isConfirmed();
    }

    public LeaderWork work() {
        return work;
    }

    public void recorded(JobHistory.Run begun) {
        run = begun;
    }

    /** Sets the exception with which the job ends, {@code null} for none. */
    public void failed(@Nullable Throwable reason) {
        failure = reason;
    }

    /** Ends the job. Until its records are written it counts as running: a release of leadership must not overtake them. */
    void end() {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            if (interrupted) {
                // It was meant for this job; the thread's next one must not fail for it.
                Thread.interrupted();
            }
        }
        scope.close();
        if (run != null) {
            run.end(failure);
        }
        if (slot == null) {
            work.close();
        } else {
            slot.end(work::close);
        }
    }

    /** Whether the leadership under which it runs still holds. */
    public boolean isCurrent() {
        return work.isCurrent();
    }

    /** Interrupts the job if its guard says so, since the leadership under which it runs was lost. */
    void lost(Scheduler scheduler) {
        if (guard.onLoss() != OnLoss.INTERRUPT || !isFirstToTell()) {
            return;
        }
        if (context.getJobInstance() instanceof InterruptableJob job) {
            interruptThrough(scheduler, job);
        } else {
            interruptThread();
        }
    }

    private synchronized boolean isFirstToTell() {
        boolean first = !told && !over;
        told = true;
        return first;
    }

    private void interruptThrough(Scheduler scheduler, InterruptableJob job) {
        try {
            if (!scheduler.interrupt(context.getFireInstanceId())) {
                // Quartz finds a job only once it has begun, and this one is about to.
                job.interrupt();
            }
        } catch (UnableToInterruptJobException | RuntimeException failure) {
            log.warn(
                    "{} could not be interrupted although the leadership is lost",
                    context.getJobDetail().getKey(),
                    failure);
        }
    }

    private synchronized void interruptThread() {
        if (!over) {
            interrupted = true;
            thread.interrupt();
        }
    }
}
