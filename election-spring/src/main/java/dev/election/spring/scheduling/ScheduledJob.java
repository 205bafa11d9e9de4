package dev.election.spring.scheduling;

import dev.election.Recover;
import dev.election.spring.calls.JobTerms;
import dev.election.spring.internal.slot.CronSchedule;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.Trigger;

/**
 * A guarded method that is called by cron expressions, and whose slots are recorded.
 *
 * @param name of the job
 * @param election that guards it
 * @param method that is called
 * @param recoverWithin how long a slot that was missed is worth being run late
 * @param terms which of several missed slots are run, and whether one that had begun under an earlier leader is
 * @param schedules when it is to run
 */
record ScheduledJob(
        String name,
        String election,
        Called method,
        Duration recoverWithin,
        JobTerms terms,
        List<CronSchedule> schedules) {

    /**
     * A method that a scheduler calls.
     *
     * @param bean the name of the bean
     * @param method of the class of the bean
     * @param scheduler the qualifier of the scheduler that calls it, empty for the usual one
     */
    record Called(String bean, Method method, String scheduler) {}

    /** Whether the method is called for each partition of a group, of which the election is one. */
    boolean isOfPartition() {
        return terms.partitions() > 0;
    }

    /** Whether each missed slot is run, and not only the latest. */
    boolean runsEach() {
        return terms.recover() == Recover.EVERY;
    }

    /** The schedule for which Spring has made that trigger, {@code null} if there is none. */
    @Nullable
    CronSchedule scheduleOf(Trigger trigger) {
        return schedules.stream()
                .filter(schedule -> schedule.isNamedBy(trigger))
                .findFirst()
                .orElse(null);
    }

    boolean has(Trigger trigger) {
        return scheduleOf(trigger) != null;
    }
}
