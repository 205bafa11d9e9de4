package dev.election.quartz.internal.store;

import dev.election.quartz.internal.scheduler.GuardedScheduler;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.trigger.Firing;
import dev.election.quartz.internal.trigger.Scheduling;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.Trigger;
import org.quartz.spi.OperableTrigger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives firings back to the job store that all nodes share. There a veto ends a firing for all of them, and one may be under way
 * while leadership begins or ends, when the scheduler is to be on standby.
 */
public final class HandBack {

    private static final Logger log = LoggerFactory.getLogger(HandBack.class);

    private final GuardedScheduler guarded;
    private final QuartzObserver observer;

    public HandBack(GuardedScheduler guarded, QuartzObserver observer) {
        this.guarded = guarded;
        this.observer = observer;
    }

    /**
     * Has the leader fire a slot that was vetoed here.
     *
     * @param firing what was vetoed
     * @param context of it
     * @param election whose leader
     * @param reason why it was vetoed
     */
    public void vetoed(Firing firing, JobExecutionContext context, String election, String reason) {
        JobKey job = context.getJobDetail().getKey();
        log.info("{} is given back to the job store, for the leader of '{}': {}", job, election, reason);
        again(context, Refiring.handedBack(firing, context), election);
    }

    /** Has the leader fire a slot for which this node could not make a job: a context that is being closed makes none. */
    void neverBegun(JobDetail job, OperableTrigger fired, String election) {
        log.info(
                "{} is given back to the job store, for the leader of '{}': this node has fired it, could not create its job, and does not lead any more",
                job.getKey(),
                election);
        again(job, Refiring.neverBegun(fired, job), election, !fired.mayFireAgain());
    }

    /** Puts a trigger into the store, on this thread: the process may be about to end. */
    public void again(JobExecutionContext context, Trigger again, String election) {
        again(context.getJobDetail(), again, election, !context.getTrigger().mayFireAgain());
    }

    private void again(JobDetail job, Trigger again, String election, boolean wasLast) {
        long begun = System.nanoTime();
        boolean isBack = guarded.insist(
                "give a firing of " + job.getKey() + " back to the job store",
                () -> put(job, again, wasLast),
                () -> System.nanoTime() - begun < guarded.recoverWithin().toNanos());
        if (!isBack) {
            observer.lost(guarded.name(), election, 1);
            log.warn(
                    "The slot {} of {} is not fired: it could not be given back to the job store. election.quartz.lost counts such slots",
                    again.getStartTime().toInstant(),
                    job.getKey());
        }
    }

    /** Adds the trigger, unless a failed attempt has added it, or the application has deleted the job meanwhile. */
    private void put(JobDetail job, Trigger again, boolean wasLast) throws Exception {
        Scheduler scheduler = guarded.scheduler();
        boolean endsByItself = wasLast && !job.isDurable();
        if (!endsByItself && !scheduler.checkExists(job.getKey())) {
            log.info(
                    "{} was deleted: its slot {} is not given back",
                    job.getKey(),
                    again.getStartTime().toInstant());
        } else if (!scheduler.checkExists(again.getKey())) {
            guarded.change(() -> Scheduling.again(scheduler, job, again));
        }
    }
}
