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
    private final Map<String, Noted> lost = new LinkedHashMap<>();

    /** Slots that are run late and not logged yet, by reason. */
    private final Map<String, Noted> late = new LinkedHashMap<>();

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
        Noted loss = lost.computeIfAbsent(why, first -> new Noted());
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
        Noted runs = late.computeIfAbsent(why, first -> new Noted());
        runs.jobs.add(job.name());
        runs.past.add(slot);
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
        lost.forEach((why, slots) -> log.warn("{} {}. election.jobs.lost counts such slots", slots.asLost(), why));
        lost.clear();
        late.forEach((why, slots) -> log.info("{}: {}", slots.asLate(), why));
        late.clear();
    }

    private synchronized void tellAndPlan(ScheduledJob job) {
        planned = !lost.isEmpty() || !late.isEmpty();
        if (planned) {
            tell();
            scheduler.later(job, APART, () -> tellAndPlan(job));
        }
    }

    /** Slots of jobs that share a line. */
    private static final class Noted {

        private final SortedSet<String> jobs = new TreeSet<>();
        private final Slots past = new Slots();
        private final Slots coming = new Slots();

        String asLate() {
            return named() + past.described("is run late", "are run late");
        }

        String asLost() {
            return named()
                    + past.described("is not run", "are not run")
                    + (past.count > 0 && coming.count > 0 ? ", and " : "")
                    + coming.described("will not be run", "will not be run")
                    + (past.count + coming.count == 1 ? ". It is" : ". They are");
        }

        private String named() {
            int more = jobs.size() - NAMED;
            return (jobs.size() == 1 ? "The job " : "The jobs ")
                    + jobs.stream()
                            .limit(NAMED)
                            .map(job -> "'" + job + "'")
                            .collect(Collectors.joining(", ", "", more > 0 ? " and " + more + " more: " : ": "));
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
