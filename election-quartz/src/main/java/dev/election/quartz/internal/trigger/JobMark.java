package dev.election.quartz.internal.trigger;

import dev.election.quartz.internal.rules.QuartzData;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;

/**
 * The record of a firing, as a leader writes it for its successor: of a running job that requests recovery, or as part of a claim. If a
 * successor finds the former, the leader has died while the job ran.
 *
 * @param job the job
 * @param trigger what fired it
 * @param fired when it was fired
 * @param scheduled for when it was scheduled
 * @param priority of the trigger
 */
public record JobMark(JobKey job, TriggerKey trigger, long fired, long scheduled, int priority) {

    public static JobMark of(JobExecutionContext context) {
        return new JobMark(
                context.getJobDetail().getKey(),
                context.getTrigger().getKey(),
                Times.millis(context.getFireTime()),
                Times.millis(context.getScheduledFireTime()),
                context.getTrigger().getPriority());
    }

    /** Reads the mark of an earlier leader; empty if the text is none. */
    public static Optional<JobMark> parse(String entry) {
        List<String> part =
                Arrays.stream(entry.split(" ", -1)).map(JobMark::decoded).toList();
        try {
            return Optional.of(new JobMark(
                    new JobKey(part.get(1), part.get(0)),
                    new TriggerKey(part.get(3), part.get(2)),
                    Long.parseLong(part.get(4)),
                    Long.parseLong(part.get(5)),
                    Integer.parseInt(part.get(6))));
        } catch (IndexOutOfBoundsException | NumberFormatException notOurs) {
            return Optional.empty();
        }
    }

    public String format() {
        return List.of(job.getGroup(), job.getName(), trigger.getGroup(), trigger.getName(), fired, scheduled, priority)
                .stream()
                .map(part -> encoded(part.toString()))
                .collect(Collectors.joining(" "));
    }

    /**
     * A trigger that runs the job again, with all the data that Quartz gives to a job that it recovers.
     *
     * @param id under which the mark was found
     * @param election that guards it, as it did then: what said so may be gone with the trigger that fired it first
     * @param data of that trigger
     */
    public Trigger recovery(String id, String election, JobDataMap data) {
        JobDataMap all = new JobDataMap(data);
        all.put(QuartzData.ELECTION, election);
        all.put(QuartzData.MARK, id);
        all.put(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_NAME, trigger.getName());
        all.put(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_GROUP, trigger.getGroup());
        all.put(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_FIRETIME_IN_MILLISECONDS, Long.toString(fired));
        all.put(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_SCHEDULED_FIRETIME_IN_MILLISECONDS, Long.toString(scheduled));
        return TriggerBuilder.newTrigger()
                .withIdentity("recover_" + id, Scheduler.DEFAULT_RECOVERY_GROUP)
                .forJob(job)
                .usingJobData(all)
                .withPriority(priority)
                .startAt(Times.date(scheduled))
                .withSchedule(SimpleScheduleBuilder.simpleSchedule().withMisfireHandlingInstructionIgnoreMisfires())
                .build();
    }

    private static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8);
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part, StandardCharsets.UTF_8);
    }
}
