package dev.election.quartz;

import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Trigger;
import org.quartz.spi.OperableTrigger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives firings back to the job store that all nodes share. There a veto ends a firing for all of them, and one may be under way
 * while leadership begins or ends, when the scheduler is to be on standby.
 */
final class HandBack {

    private static final Logger log = LoggerFactory.getLogger(HandBack.class);

    private final GuardedScheduler guarded;

    HandBack(GuardedScheduler guarded) {
        this.guarded = guarded;
    }

    /**
     * Has the leader fire what was vetoed here.
     *
     * @param firing what was vetoed
     * @param context of it
     * @param election whose leader
     * @param reason why it was vetoed
     */
    void vetoed(Firing firing, JobExecutionContext context, String election, String reason) {
        JobKey job = context.getJobDetail().getKey();
        log.info("{} is given back to the job store, for the leader of '{}': {}", job, election, reason);
        again(context, Refiring.handedBack(firing, context));
    }

    /** Has the leader fire what this node has fired, and for which it could not make a job: a context that is being closed makes none. */
    void neverBegun(JobDetail job, OperableTrigger fired) {
        log.info(
                "{} is given back to the job store: this node has fired it, could not create its job, and does not lead any more",
                job.getKey());
        again(job, Refiring.neverBegun(fired, job));
    }

    /** Puts a trigger into the store, on this thread: the process may be about to end. */
    void again(JobExecutionContext context, Trigger again) {
        again(context.getJobDetail(), again);
    }

    private void again(JobDetail job, Trigger again) {
        // A pool of connections does not wait on an interrupted thread.
        boolean interrupted = Thread.interrupted();
        guarded.change("hand back " + job.getKey(), () -> Scheduling.again(guarded.scheduler(), job, again));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
