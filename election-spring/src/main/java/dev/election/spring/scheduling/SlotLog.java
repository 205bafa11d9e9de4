package dev.election.spring.scheduling;

import dev.election.spring.internal.slot.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs slots that are not run or are run late, once for all jobs of a context: a new leader finds those of many jobs at a time, and a job
 * that is slower than its schedule loses slots all the time. A first line comes after a second, the next one a minute later at the earliest.
 */
final class SlotLog {

    /** The highest number of slots of a schedule that is counted at once. */
    static final int COUNTED = 10_000;

    private static final Logger log = LoggerFactory.getLogger(SlotLog.class);

    private static final Duration TOGETHER = Duration.ofSeconds(1);
    private static final Duration APART = Duration.ofMinutes(1);

    /** How many jobs a line names. */
    private static final int NAMED = 3;

    private final JobScheduler scheduler;
    private final Supplier<JobObserver> observer;

    /** Lost slots that are not logged yet, by reason. Guarded by this, like the fields below. */
    private final Map<String, Loss> untold = new LinkedHashMap<>();

    /** Slots that are run late and not logged yet, by reason. */
    private final Map<String, Late> late = new LinkedHashMap<>();

    private boolean planned;

    SlotLog(JobScheduler scheduler, Supplier<JobObserver> observer) {
        this.scheduler = scheduler;
        this.observer = observer;
    }

    JobObserver observer() {
        return observer.get();
    }

    /**
     * Counts slots of a schedule that are not run, from one time to before another, and logs them soon. Those later than now will not be.
     *
     * @param why follows "They are" or "It is"
     */
    void lost(ScheduledJob job, CronSchedule schedule, long from, long to, String why) {
        int lost = schedule.count(from, to, COUNTED);
        if (lost > 0) {
            observer().lost(job.election(), job.name(), lost);
            note(job, schedule, from, to, why);
        }
    }

    private synchronized void note(ScheduledJob job, CronSchedule schedule, long from, long to, String why) {
        Loss loss = untold.computeIfAbsent(why, first -> new Loss());
        long coming = Math.min(to, Math.max(from, scheduler.now(schedule).toEpochMilli() + 1));
        loss.jobs.add(job.name());
        loss.past.add(schedule, from, coming);
        loss.coming.add(schedule, coming, to);
        plan(job);
    }

    /**
     * Notes that a leader runs that slot late.
     *
     * @param why of one slot or of many
     */
    synchronized void late(ScheduledJob job, long slot, String why) {
        Late runs = late.computeIfAbsent(why, first -> new Late());
        runs.jobs.add(job.name());
        runs.slots.add(slot);
        plan(job);
    }

    private void plan(ScheduledJob job) {
        if (!planned) {
            planned = true;
            scheduler.later(job, TOGETHER, () -> tellAndPlan(job));
        }
    }

    /** Logs what is not logged yet. */
    synchronized void tell() {
        untold.forEach((why, loss) -> log.warn("{} {}. election.jobs.lost counts such slots", loss.described(), why));
        untold.clear();
        late.forEach((why, runs) -> log.info("{}: {}", runs.described(), why));
        late.clear();
    }

    private synchronized void tellAndPlan(ScheduledJob job) {
        planned = !untold.isEmpty() || !late.isEmpty();
        if (planned) {
            tell();
            scheduler.later(job, APART, () -> tellAndPlan(job));
        }
    }

    private static String described(SortedSet<String> jobs) {
        String named = jobs.stream()
                .limit(NAMED)
                .map(job -> "'" + job + "'")
                .collect(Collectors.joining(
                        ", ", "", jobs.size() > NAMED ? " and " + (jobs.size() - NAMED) + " more" : ""));
        return (jobs.size() == 1 ? "The job " : "The jobs ") + named;
    }

    /** Slots that are run late for one reason. */
    private static final class Late {

        private final TreeSet<String> jobs = new TreeSet<>();
        private final Slots slots = new Slots();

        String described() {
            return SlotLog.described(jobs) + ": " + slots.described("is run late", "are run late");
        }
    }

    /** Slots that are lost for one reason. */
    private static final class Loss {

        private final TreeSet<String> jobs = new TreeSet<>();
        private final Slots past = new Slots();
        private final Slots coming = new Slots();

        String described() {
            return SlotLog.described(jobs)
                    + ": "
                    + past.described("is not run", "are not run")
                    + (past.count > 0 && coming.count > 0 ? ", and " : "")
                    + coming.described("will not be run", "will not be run")
                    + (past.count + coming.count == 1 ? ". It is" : ". They are");
        }
    }

    /** A number of slots, and the latest of them. */
    private static final class Slots {

        private int count;
        private long latest = Long.MIN_VALUE;

        void add(long slot) {
            count++;
            latest = Math.max(latest, slot);
        }

        void add(CronSchedule schedule, long from, long to) {
            Long last = schedule.latest(from, to - 1);
            if (last != null) {
                count += schedule.count(from, to, COUNTED);
                latest = Math.max(latest, last);
            }
        }

        String described(String fateOfOne, String fateOfMany) {
            return switch (count) {
                case 0 -> "";
                case 1 -> "the slot " + Instant.ofEpochMilli(latest) + " " + fateOfOne;
                default ->
                    (count < COUNTED ? "" : "at least ") + count + " slots up to " + Instant.ofEpochMilli(latest) + " "
                            + fateOfMany;
            };
        }
    }
}
