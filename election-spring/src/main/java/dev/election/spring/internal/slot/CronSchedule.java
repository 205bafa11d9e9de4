package dev.election.spring.internal.slot;

import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.jobs.slots.ScheduleSlots;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.scheduling.support.CronTrigger;
import org.springframework.util.StringUtils;

/**
 * The schedule of a job by a cron expression. Times are in milliseconds since 1970.
 *
 * @param job the name of the job
 * @param trigger as Spring makes it of the annotation
 * @param cron names the slots
 * @param zone of the expression
 * @param given whether the annotation has a zone; otherwise it is that of the scheduler's clock, which is expected to be the default one
 */
public record CronSchedule(String job, CronTrigger trigger, CronExpression cron, ZoneId zone, boolean given) {

    private static final long STEP_MILLIS = 60_000;
    private static final long LONGEST_STEP_MILLIS = 3 * 24 * 3_600_000L;

    /** The factor by which the step back to the latest slot grows. */
    private static final int FURTHER = 8;

    /** The schedule of that annotation, with placeholders replaced. */
    public static CronSchedule of(String job, String expression, String zone) {
        TimeZone given = zone.isEmpty() ? null : StringUtils.parseTimeZoneString(zone);
        CronTrigger trigger = given == null ? new CronTrigger(expression) : new CronTrigger(expression, given);
        ZoneId own = given == null ? ZoneId.systemDefault() : given.toZoneId();
        return new CronSchedule(job, trigger, CronExpression.parse(trigger.getExpression()), own, given != null);
    }

    /** Whether the annotation has a cron expression; one that is disabled is none. */
    public static boolean isCron(String expression) {
        return !expression.isBlank() && !expression.trim().equals(Scheduled.CRON_DISABLED);
    }

    /** The name of its slots in the ledger, the same on every node. */
    public String name() {
        return job + " [" + trigger.getExpression() + " " + zone + "]";
    }

    /** The name of its slots in that ledger: as the last leader has recorded it, which may write its expression or its zone otherwise. */
    public String nameIn(SchedulerLedger ledger) {
        return ledger.recordedName(this::isSame).orElseGet(this::name);
    }

    /** Whether a schedule of the same job that has that name names the same times, however its expression and its zone are written. */
    public boolean isSame(String other) {
        int zoneAt = other.lastIndexOf(' ') + 1;
        String prefix = job + " [";
        if (!other.startsWith(prefix) || !other.endsWith("]") || zoneAt <= prefix.length()) {
            return false;
        }
        try {
            return CronExpression.parse(other.substring(prefix.length(), zoneAt))
                            .equals(cron)
                    && ZoneId.of(other.substring(zoneAt, other.length() - 1))
                            .getRules()
                            .equals(zone.getRules());
        } catch (IllegalArgumentException | DateTimeException notOfThisJob) {
            return false;
        }
    }

    public boolean isNamedBy(Trigger other) {
        return trigger.equals(other);
    }

    /** The first slot after that time, or {@link ScheduleSlots#NEVER}. */
    public long next(long time) {
        long from = time;
        // Where clocks are set back by half an hour, CronExpression may name the same time again, without end.
        for (long further = STEP_MILLIS; further < LONGEST_STEP_MILLIS; further *= 2) {
            ZonedDateTime next = cron.next(Instant.ofEpochMilli(from).atZone(zone));
            if (next == null) {
                return ScheduleSlots.NEVER;
            }
            long slot = next.toInstant().toEpochMilli();
            if (slot > time) {
                return slot;
            }
            from = time + further;
        }
        return ScheduleSlots.NEVER;
    }

    /** Whether Spring names the slots in that zone, if that is the one of the scheduler's clock. */
    public boolean isNamedIn(ZoneId zoneOfScheduler) {
        return given || zone.equals(zoneOfScheduler) || zone.getRules().equals(zoneOfScheduler.getRules());
    }

    /** The latest slot between these times, both included; {@code null} if there is none. */
    @Nullable
    public Long latest(long from, long to) {
        for (long back = 1000; ; back *= FURTHER) {
            long start = Math.max(from, to - back);
            Long latest = null;
            for (long slot = next(start - 1); slot != ScheduleSlots.NEVER && slot <= to; slot = next(slot)) {
                latest = slot;
            }
            if (latest != null || start == from) {
                return latest;
            }
        }
    }

    /** How many slots there are from one time to before another, not counted further than to a bound. */
    public int count(long from, long to, int bound) {
        int count = 0;
        for (long slot = next(from - 1); slot != ScheduleSlots.NEVER && slot < to && count < bound; slot = next(slot)) {
            count++;
        }
        return count;
    }
}
