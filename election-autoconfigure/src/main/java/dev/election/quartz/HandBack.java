package dev.election.quartz;

import java.time.Duration;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Trigger;
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
        again(Duration.ZERO, context, Refiring.handedBack(firing, context));
    }

    /** Puts a trigger into the store after that time; at once on this thread, since the process may be about to end. */
    void again(Duration pause, JobExecutionContext context, Trigger again) {
        JobDetail job = context.getJobDetail();
        String what = "hand back " + job.getKey();
        StoreTransactions.Change change = () -> Scheduling.again(guarded.scheduler(), job, again);
        if (pause.isZero()) {
            guarded.change(what, change);
        } else {
            guarded.changeLater(pause, what, change);
        }
    }
}
