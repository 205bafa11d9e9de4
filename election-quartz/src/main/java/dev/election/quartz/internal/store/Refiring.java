package dev.election.quartz.internal.store;

import dev.election.FencingToken;
import dev.election.quartz.internal.rules.QuartzData;
import dev.election.quartz.internal.scheduler.RunningJob;
import dev.election.quartz.internal.trigger.Firing;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.quartz.JobDataMap;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.spi.OperableTrigger;

/** Triggers that fire a single slot once more, with its own scheduled time. */
public final class Refiring {

    private Refiring() {}

    /** Returns a trigger for whichever node leads, in the store that all share. */
    static Trigger handedBack(Firing firing, JobExecutionContext context) {
        return handedBack(firing, context, new JobDataMap(context.getTrigger().getJobDataMap()));
    }

    /**
     * Returns a trigger for whichever node leads, after the claim of the slot was not confirmed for that number of times. The ledger may
     * have the claim.
     *
     * @param claim the latest, empty if it is not known
     */
    public static Trigger unconfirmedOfAll(RunningJob job, Optional<String> claim, int times) {
        JobDataMap data = dataOf(job.context(), times);
        claim.ifPresent(
                latest -> data.merge(QuartzData.UNUSED_CLAIMS, latest, (earlier, added) -> earlier + " " + added));
        return handedBack(job.firing(), job.context(), data);
    }

    /** The claims of the slot of that firing under which the job did not begin. */
    public static List<String> unusedClaims(JobExecutionContext context) {
        String claims = context.getTrigger().getJobDataMap().getString(QuartzData.UNUSED_CLAIMS);
        return claims == null ? List.of() : List.of(claims.split(" "));
    }

    /** Returns a trigger for whichever node leads, in place of one that was fired and never came to its job. */
    static Trigger neverBegun(OperableTrigger fired, JobDetail job) {
        JobDataMap data = new JobDataMap(fired.getJobDataMap());
        if (Firing.Kind.of(fired) == Firing.Kind.REGULAR) {
            name(fired.getKey(), data);
        }
        return at(fired.getPreviousFireTime(), fired, job, againKey(fired, fired.getFireInstanceId()), data);
    }

    /**
     * Returns a trigger for this leader, in a store of this node alone, after the claim of the slot was not confirmed for that number of
     * times.
     */
    public static Trigger unconfirmed(RunningJob job, String name, int times) {
        JobExecutionContext context = job.context();
        JobDataMap data = dataOf(context, times);
        noteCatchUp(data, job.firing().trigger(), job.guard().election(), job.token());
        return at(
                context.getScheduledFireTime(),
                context.getTrigger(),
                context.getJobDetail(),
                new TriggerKey(name, QuartzData.CATCH_UP_GROUP),
                data);
    }

    /** Notes in the data of a trigger whose slots it catches up, for which election and under which token. */
    public static void noteCatchUp(JobDataMap data, TriggerKey missed, String election, FencingToken token) {
        name(missed, data);
        data.put(QuartzData.ELECTION, election);
        data.put(QuartzData.CATCHING_UP_UNDER, token.toString());
    }

    /** How often the claim of that firing's slot was not confirmed. */
    public static int times(JobExecutionContext context) {
        String times = context.getTrigger().getJobDataMap().getString(QuartzData.UNCONFIRMED);
        return times == null ? 0 : Integer.parseInt(times);
    }

    private static Trigger handedBack(Firing firing, JobExecutionContext context, JobDataMap data) {
        if (firing.kind() != Firing.Kind.RECOVERY) {
            // A slot remains the same one. A recovery is none: it runs again what has been fired.
            name(firing.trigger(), data);
        }
        return at(
                context.getScheduledFireTime(),
                context.getTrigger(),
                context.getJobDetail(),
                againKey(context.getTrigger(), context.getFireInstanceId()),
                data);
    }

    /** The key of the trigger. A recovery keeps its group, so that it remains one for the job and for the ledger. */
    private static TriggerKey againKey(Trigger fired, String fireInstanceId) {
        boolean isRecovery = Firing.Kind.of(fired) == Firing.Kind.RECOVERY;
        return new TriggerKey(
                "again_" + fireInstanceId,
                isRecovery ? Scheduler.DEFAULT_RECOVERY_GROUP : QuartzData.HANDED_BACK_GROUP);
    }

    private static JobDataMap dataOf(JobExecutionContext context, int times) {
        JobDataMap data = new JobDataMap(context.getTrigger().getJobDataMap());
        // A store may be told to keep texts only.
        data.put(QuartzData.UNCONFIRMED, Integer.toString(times));
        return data;
    }

    private static void name(TriggerKey missed, JobDataMap data) {
        data.put(QuartzData.MISSED_TRIGGER_NAME, missed.getName());
        data.put(QuartzData.MISSED_TRIGGER_GROUP, missed.getGroup());
    }

    private static Trigger at(Date slot, Trigger fired, JobDetail job, TriggerKey key, JobDataMap data) {
        return TriggerBuilder.newTrigger()
                .withIdentity(key)
                .forJob(job)
                .usingJobData(data)
                .withPriority(fired.getPriority())
                .startAt(slot)
                .withSchedule(SimpleScheduleBuilder.simpleSchedule().withMisfireHandlingInstructionIgnoreMisfires())
                .build();
    }
}
