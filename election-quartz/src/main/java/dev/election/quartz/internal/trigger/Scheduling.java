package dev.election.quartz.internal.trigger;

import org.quartz.JobDetail;
import org.quartz.JobPersistenceException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;

/** Schedules a job again whose last trigger may be ending at this moment, which then removes the job from the store. */
public final class Scheduling {

    private Scheduling() {}

    /** Schedules a job again, unless the application has deleted it meanwhile although more of its triggers were to fire. */
    public static void againUnlessDeleted(Scheduler scheduler, JobDetail job, Trigger trigger, boolean wasLast)
            throws SchedulerException {
        if (wasLast || scheduler.checkExists(job.getKey())) {
            again(scheduler, job, trigger);
        }
    }

    public static void again(Scheduler scheduler, JobDetail job, Trigger trigger) throws SchedulerException {
        try {
            scheduler.scheduleJob(trigger);
        } catch (JobPersistenceException failure) {
            if (scheduler.checkExists(job.getKey())) {
                throw failure;
            }
            scheduler.scheduleJob(job, trigger);
        }
    }
}
