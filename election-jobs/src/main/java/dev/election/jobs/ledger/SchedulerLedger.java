package dev.election.jobs.ledger;

import dev.election.FencingToken;
import dev.election.jobs.slots.JobSlots;
import dev.election.jobs.slots.ScheduleSlots;
import dev.election.store.LedgerStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The records of the jobs of one scheduler, as a leader reads and writes them. A <em>schedule</em> is whatever says when a job is to run,
 * such as a cron expression or a trigger; each time that it names is a <em>slot</em>. A schedule has a name, the same on every node. All
 * times are milliseconds since 1970.
 */
public final class SchedulerLedger {

    private final FencingToken token;
    private final Ledger entries;
    private final long retention;
    private final Evidence evidence;

    /** Beginnings of the names of entries: of the slots of schedules, and of jobs that run or are claimed. */
    private final String slotsOf;

    private final String runningOf;
    private final String claimedOf;
    private final String startOf;
    private final String jobOf;
    private final RecentSlots recent;
    private final Map<String, ScheduleSlots> slots = new ConcurrentHashMap<>();
    private final Map<String, JobSlots> jobs = new ConcurrentHashMap<>();

    /** Jobs by schedule, for jobs that were recorded with all of their schedules. */
    private final Map<String, String> jobsOfSchedules = new ConcurrentHashMap<>();

    /**
     * The schedules of claims that are not known to have led to a run, by the ids of the claims. A successor that finds the slot must find
     * its claim, too.
     */
    private final Map<String, String> claims = new ConcurrentHashMap<>();

    /** The schedules that have ended, the earliest first. Guarded by this. */
    private final Deque<Ended> over = new ArrayDeque<>();

    /** Whether this leader has begun to look at what was missed. Guarded by this. */
    private boolean begun;

    /** Whether schedules of which nothing is known need no look at what was missed any more. Guarded by this. */
    private boolean open;

    SchedulerLedger(String scheduler, Ledger entries, long retention, Evidence evidence) {
        this.token = entries.token();
        this.entries = entries;
        this.retention = retention;
        this.evidence = evidence;
        this.slotsOf = scheduler + "/slot/";
        this.runningOf = scheduler + "/running/";
        this.claimedOf = scheduler + "/claimed/";
        this.startOf = scheduler + "/start/";
        this.jobOf = scheduler + "/job/";
        this.recent = new RecentSlots(entries, entries.token(), scheduler + "/fired/", retention);
    }

    /** The token of the leadership. */
    public FencingToken token() {
        return token;
    }

    /** Returns {@code true} at the first call: its caller looks for missed slots, once in a leadership. */
    public synchronized boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    /** The slots of a schedule, as an earlier leader has recorded them; without a record nothing is known of them. */
    public ScheduleSlots slots(String schedule) {
        ScheduleSlots known = slots.get(schedule);
        return known != null ? known : create(schedule);
    }

    /** The name under which an earlier leader has recorded a schedule that may be named otherwise; of several the one that was run last. */
    public Optional<String> recordedName(Predicate<String> isSame) {
        return entries.below(slotsOf).entrySet().stream()
                .filter(entry -> isSame.test(entry.getKey()))
                .max(Comparator.comparing(entry -> lastOf(entry.getValue())))
                .map(Map.Entry::getKey);
    }

    private static long lastOf(String entry) {
        Long last = ScheduleSlots.parse(entry).last();
        return last == null ? Long.MIN_VALUE : last;
    }

    /**
     * Whether the last leader that has recorded a job had that schedule, or nobody knows. If it had not, the job may have been run for other
     * times since that of the schedule was recorded.
     */
    public boolean hadSchedule(String job, Predicate<String> isSame) {
        Set<String> known = job(job).schedules();
        return known == null || known.stream().anyMatch(isSame);
    }

    /**
     * Records that a job has these schedules from now on, together with their slots. The job is run once for a time, whichever of these or
     * the earlier schedules names it.
     *
     * @param schedules their names
     */
    public synchronized CompletionStage<Boolean> recordJob(String job, Set<String> schedules) {
        JobSlots all = job(job);
        all.schedules(schedules);
        Map<String, String> put = new HashMap<>();
        schedules.forEach(schedule -> {
            jobsOfSchedules.put(schedule, job);
            slots(schedule).ofJob(all);
            put.putAll(changed(schedule));
        });
        return entries.write(put, Set.of(), claimsBeside(schedules));
    }

    /** Forgets all other jobs that have not run for so long that no slot can be missed. */
    public void forgetJobsBut(Set<String> known, long now) {
        Set<String> outdated = new HashSet<>();
        entries.below(jobOf).forEach((job, entry) -> {
            if (!known.contains(job) && JobSlots.parse(entry).last() < now - retention) {
                outdated.add(jobOf + job);
            }
        });
        if (!outdated.isEmpty()) {
            CompletionStage<Boolean> unused = entries.write(Map.of(), outdated);
        }
    }

    private JobSlots job(String job) {
        return jobs.computeIfAbsent(job, name -> JobSlots.parse(entries.get(jobOf + name)));
    }

    /** The entries in which the slots of a schedule are recorded. */
    private Map<String, String> changed(String schedule) {
        Map<String, String> put = new HashMap<>();
        put.put(slotsOf + schedule, slots(schedule).format());
        String job = jobsOfSchedules.get(schedule);
        if (job != null) {
            put.put(jobOf + job, job(job).format());
        }
        return put;
    }

    /** The slots of schedules that nodes share, where something else says which of them are to be run. */
    public RecentSlots recent() {
        return recent;
    }

    /** Lets slots be claimed of schedules that were not asked for before. */
    public synchronized void openRest() {
        open = true;
    }

    /** Whether the slots of that schedule were asked for, and can't be claimed yet. */
    public boolean isHeldBack(String schedule) {
        ScheduleSlots known = slots.get(schedule);
        return known != null && !known.isOpen();
    }

    /** Forgets schedules that have ended, or are known no more, for so long that no slot can be missed. */
    public void forgetAllBut(Set<String> known, long now) {
        Set<String> outdated = new HashSet<>();
        entries.below(slotsOf).forEach((schedule, entry) -> {
            Long from = ScheduleSlots.parse(entry).unsettledFrom(now);
            if (!known.contains(schedule) && (from == null || from < now - retention)) {
                outdated.add(schedule);
            }
        });
        if (!outdated.isEmpty()) {
            CompletionStage<Boolean> unused = entries.write(Map.of(), forget(outdated));
        }
    }

    /** The time of the store, or a moment before. */
    public long storeTime() {
        return entries.time().now();
    }

    /** The monotonic clock of this node. */
    public long nanoTime() {
        return entries.time().nanoTime();
    }

    /** The latest time at which a leader may have started the job, by the clock of the store; long ago if none can have. */
    public long lastStart(String job) {
        Long recorded = recordedStart(job);
        return recorded == null ? evidence.losslessFrom() : Math.max(recorded, evidence.losslessFrom());
    }

    /** When that job was started last, by the clock of the store as it was then; {@code null} if that is not recorded. */
    public @Nullable Long recordedStart(String job) {
        String recorded = entries.get(startOf + job);
        try {
            return recorded == null ? null : Long.valueOf(recorded);
        } catch (NumberFormatException notOurs) {
            return null;
        }
    }

    /**
     * Records that a job starts, with the time at which the store does so, and waits for the answer. Returns whether the job may start: not if
     * the answer comes later than that after the question, since the job would start so much later than is recorded.
     */
    public boolean start(String job, Duration within) {
        StoreTime.Limit limit = entries.time().in(within);
        return entries.isConfirmed(entries.stamp(startOf + job, within)) && !limit.isOver();
    }

    /** Records that the job was started now, in place of another time: the store's clock was set back, or the method was called late. */
    public void startedNow(String job) {
        CompletionStage<Boolean> unused = recordStart(job, storeTime());
    }

    /** Restores the record of the start before, since the job has not started. */
    public void forgetStart(String job, long before) {
        CompletionStage<Boolean> unused =
                before == Long.MIN_VALUE ? entries.write(Map.of(), Set.of(startOf + job)) : recordStart(job, before);
    }

    private CompletionStage<Boolean> recordStart(String job, long at) {
        return entries.write(Map.of(startOf + job, Long.toString(at)), Set.of());
    }

    /** The records of jobs that run, or ran when an earlier leader died, by their ids. */
    public Map<String, String> running() {
        return entries.below(runningOf);
    }

    /** The records of jobs whose claims are not known to have led to a run, by their ids. */
    public Map<String, String> claimed() {
        return entries.below(claimedOf);
    }

    /**
     * Records the slots of a schedule, and jobs that are claimed with them and begin when that is confirmed. The stage completes, never by
     * failing, with whether the store has recorded it, which it does within a second or not at all.
     *
     * @param schedule its name
     * @param now by the clock of this node
     * @param claimed what a successor has to know of them, by their ids
     */
    public synchronized CompletionStage<Boolean> claim(String schedule, long now, Map<String, String> claimed) {
        Map<String, String> put = named(claimedOf, claimed);
        put.putAll(changed(schedule));
        claimed.keySet().forEach(id -> claims.put(id, schedule));
        return entries.claim(put, outdatedBut(schedule, now), claimsBeside(Set.of(schedule)));
    }

    /**
     * Records the slots of a schedule, and jobs that begin to run with them; the stage completes, never by failing, when the store has
     * answered or won't, with whether it has them now.
     *
     * @param schedule its name
     * @param now by the clock of this node
     * @param begun jobs that have begun to run, and what a successor has to know of them, by their ids
     */
    public CompletionStage<Boolean> record(String schedule, long now, Map<String, String> begun) {
        return record(schedule, now, begun, Set.of());
    }

    /**
     * Records the slots of a schedule, with jobs that begin to run and jobs that have ended or never began. Completes like
     * {@link #record(String, long, Map)}.
     *
     * @param ended their ids
     */
    public synchronized CompletionStage<Boolean> record(
            String schedule, long now, Map<String, String> begun, Collection<String> ended) {
        // One at a time, so that of two slots that are run at once the store learns the later state later.
        Map<String, String> put = named(runningOf, begun);
        put.putAll(changed(schedule));
        Set<String> removed = outdatedBut(schedule, now);
        removed.addAll(notRunning(begun, ended));
        return entries.write(put, removed, claimsBeside(Set.of(schedule)));
    }

    /**
     * Records jobs that begin to run, and others that have ended; the stage completes, never by failing, when the store has answered or
     * won't.
     *
     * @param begun what a successor has to know of those that begin, claimed or not, by their ids
     * @param ended the ids of those that have ended, or will never begin
     */
    public CompletionStage<Boolean> recordRunning(Map<String, String> begun, Collection<String> ended) {
        return entries.write(named(runningOf, begun), notRunning(begun, ended));
    }

    /**
     * Waits for the answer to a record that a job must not begin without. Returns whether it is recorded; if not although this
     * node leads, that counts as a problem of the ledger.
     */
    public boolean isConfirmed(CompletionStage<Boolean> recorded) {
        return entries.isConfirmed(recorded);
    }

    private synchronized ScheduleSlots create(String schedule) {
        return slots.computeIfAbsent(schedule, absent -> {
            String entry = entries.get(slotsOf + absent);
            ScheduleSlots found = entry == null
                    ? new ScheduleSlots(evidence.complete())
                    : ScheduleSlots.parse(entry, evidence.complete());
            // The leader that has begun an entry may have done so by a clock that was behind that of the store.
            found.proveFrom(entry == null ? evidence.provenFrom() : allowing(evidence.provenFrom()));
            return open ? found.open() : found;
        });
    }

    private static long allowing(long provenFrom) {
        return provenFrom == Long.MIN_VALUE ? provenFrom : provenFrom - LedgerStore.CLOCKS_APART.toMillis();
    }

    private static Map<String, String> named(String beginning, Map<String, String> descriptions) {
        Map<String, String> named = new HashMap<>();
        descriptions.forEach((id, description) -> named.put(beginning + id, description));
        return named;
    }

    /** The names of entries to remove: of jobs that run the claims, and of those that don't both. */
    private Set<String> notRunning(Map<String, String> begun, Collection<String> ended) {
        Set<String> names = new HashSet<>();
        Stream.concat(begun.keySet().stream(), ended.stream()).forEach(id -> {
            claims.remove(id);
            names.add(claimedOf + id);
        });
        ended.forEach(id -> names.add(runningOf + id));
        return names;
    }

    /** The names of the entries of claims whose slots are recorded together with the slots of those schedules. */
    private Set<String> claimsBeside(Set<String> schedules) {
        Set<String> ofJobs = schedules.stream()
                .map(jobsOfSchedules::get)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        Set<String> names = new HashSet<>();
        claims.forEach((id, schedule) -> {
            String job = jobsOfSchedules.get(schedule);
            if (schedules.contains(schedule) || (job != null && ofJobs.contains(job))) {
                names.add(claimedOf + id);
            }
        });
        return names;
    }

    /** Notes the end of a schedule that is over. Returns the names of the entries of other schedules to remove. */
    private Set<String> outdatedBut(String schedule, long now) {
        Set<String> outdated = outdated(now);
        outdated.remove(schedule);
        if (slots(schedule).isOver()) {
            over.add(new Ended(schedule, now));
        }
        return forget(outdated);
    }

    /** Forgets schedules. Returns the names of their entries, which are to be removed. */
    private Set<String> forget(Set<String> schedules) {
        Set<String> names = new HashSet<>();
        schedules.forEach(schedule -> {
            slots.remove(schedule);
            names.add(slotsOf + schedule);
        });
        return names;
    }

    private Set<String> outdated(long now) {
        Set<String> schedules = new HashSet<>();
        while (!over.isEmpty() && over.peek().at < now - retention) {
            String schedule = over.remove().schedule;
            ScheduleSlots known = slots.get(schedule);
            // The application may have given the same name to another schedule since.
            if (known == null || known.isOver()) {
                schedules.add(schedule);
            }
        }
        return schedules;
    }

    private record Ended(String schedule, long at) {}
}
