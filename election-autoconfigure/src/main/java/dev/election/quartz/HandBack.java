package dev.election.quartz;

import org.quartz.JobDataMap;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
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
     * Has the leader fire what was vetoed here. Returns at once.
     *
     * @param firing what was vetoed
     * @param context of it
     * @param election whose leader
     * @param reason why it was vetoed
     */
    void vetoed(Firing firing, JobExecutionContext context, String election, String reason) {
        JobDetail job = context.getJobDetail();
        JobDataMap data = new JobDataMap(context.getTrigger().getJobDataMap());
        if (firing.kind() != Firing.Kind.RECOVERY) {
            // A slot remains the same one. A recovery is none: it runs again what has been fired.
            data.put(QuartzData.MISSED_TRIGGER_NAME, firing.trigger().getName());
            data.put(QuartzData.MISSED_TRIGGER_GROUP, firing.trigger().getGroup());
        }
        Trigger again = TriggerBuilder.newTrigger()
                .withIdentity("again_" + context.getFireInstanceId(), QuartzData.HANDED_BACK_GROUP)
                .forJob(job)
                .usingJobData(data)
                .withPriority(context.getTrigger().getPriority())
                .startAt(context.getScheduledFireTime())
                .withSchedule(SimpleScheduleBuilder.simpleSchedule().withMisfireHandlingInstructionIgnoreMisfires())
                .build();
        log.info("{} is given back to the job store, for the leader of '{}': {}", job.getKey(), election, reason);
        guarded.changeLater("hand back " + job.getKey(), () -> Scheduling.again(guarded.scheduler(), job, again));
    }
}
