package dev.election.spring.scheduling;

import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.Recover;
import dev.election.ScheduledSlot;
import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.jobs.slots.ScheduleSlots;
import dev.election.jobs.slots.SlotClaim;
import dev.election.jobs.slots.SlotRun;
import dev.election.spring.internal.slot.SlotCall.Kind;
import dev.election.spring.internal.slot.CronSchedule;
import dev.election.spring.internal.slot.SlotCall;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * One schedule of a job during one leadership of this node. First runs what was missed, one slot after another, and holds back the slots
 * whose time comes meanwhile, which are then missed ones too. After that each slot is claimed at its time. Begins anew when the store does
 * not answer to a claim.
 */
final class ScheduleTurn {

    private static final Logger log = LoggerFactory.getLogger(ScheduleTurn.class);

    private static final String RECOVERY = "recovery";

    /** Stands for a claim that can't be read. */
    private static final SlotClaim UNREADABLE = new SlotClaim(new FencingToken(1), Instant.EPOCH, "(unknown)", "");

    /** The pauses between attempts. */
    private static final ExponentialBackOff PAUSES = pauses();

    /** How often a slot is tried whose method is not called. */
    private static final int ATTEMPTS = 3;

    /** How long after the time of a slot the outcome of its claim is certain. */
    private static final long SETTLED_AFTER_MILLIS = 3_600_000;

    /** The shortest interval between two lines about slots that are run late, but for those of earlier leaders that had begun. */
    private static final long LATE_TOLD_MILLIS = 3_600_000;

    private final ScheduledJob job;
    private final CronSchedule schedule;

    /** The name of the schedule in the ledger. */
    private final String name;

    private final SchedulerLedger ledger;
    private final ScheduleSlots slots;
    private final JobRunner runner;
    private final JobObserver observer;
    private final InstantSource clock;

    /** Whether the scheduler names the slots in the zone in which they are looked for here. */
    private final boolean zoneAgrees;

    /** The slots that had begun, or were claimed, under earlier leaders and are to be run again. Guarded by this. */
    private final NavigableMap<Long, Kind> interrupted = new TreeMap<>();

    /** All slots before that time have been looked at. Guarded by this. */
    private long looked;

    /** Whether missed slots are being run, or will be: at the beginning, or after a pause. Guarded by this. */
    private boolean recovering = true;

    /** The latest slot that was held back. Guarded by this. */
    private long heldUntil = Long.MIN_VALUE;

    /** When a slot that is run late was logged last. Guarded by this. */
    private long lateTold = Long.MIN_VALUE / 2;

    /** Whether it was logged that a slot can't be claimed, and none was claimed since. */
    private volatile boolean unconfirmedTold;

    /** The next pause. Guarded by this. */
    private BackOffExecution pauses = PAUSES.start();

    /** How often in a row the method was not called. Guarded by this. */
    private int unreached;

    ScheduleTurn(
            ScheduledJob job,
            CronSchedule schedule,
            String name,
            SchedulerLedger ledger,
            JobRunner runner,
            JobObserver observer,
            InstantSource clock,
            boolean zoneAgrees) {
        this.zoneAgrees = zoneAgrees;
        this.job = job;
        this.schedule = schedule;
        this.name = name;
        this.ledger = ledger;
        this.slots = ledger.slots(name);
        this.runner = runner;
        this.observer = observer;
        this.clock = clock;
    }

    /** Whether slots can be claimed at their time. */
    synchronized boolean isOpen() {
        return !recovering;
    }

    boolean isOf(FencingToken token) {
        return ledger.token().equals(token);
    }

    /**
     * Begins the turn when what earlier leaders have recorded is known. Missed slots are looked for when the schedule has been recorded,
     * see {@link #recoverSoon}.
     *
     * @param goesOn whether the last leader that has recorded the job had this schedule; if not, it begins now
     */
    void begin(boolean goesOn) {
        long now = clock.millis();
        synchronized (this) {
            findInterrupted();
            if (!goesOn) {
                slots.settle(now);
            }
            if (!goesOn || slots.begin(now)) {
                looked = now;
            } else {
                looked = missedFrom(now);
                slots.catchUp(RECOVERY, looked);
            }
        }
        slots.goesOn(now, schedule.next(now));
    }

    /** Looks for missed slots, on a thread of the scheduler. */
    void recoverSoon() {
        runner.soon(job, this::recover);
    }

    /** Claims a slot for a call on this thread. The work is closed if the method must not be called. */
    Optional<LeaderWork> enter(SlotCall call, LeaderWork work) {
        SlotCall.Outcome refusal = claim(call, work);
        if (refusal != null) {
            call.outcome(refusal);
            work.close();
            return Optional.empty();
        }
        String id = id(call.slot());
        CompletionStage<Boolean> unused =
                ledger.recordRunning(Map.of(id, new SlotRun(work.token(), clock.instant()).format()), Set.of());
        JobWork claimed = new JobWork(
                work,
                new ScheduledSlot(
                        job.name(),
                        Instant.ofEpochMilli(call.slot()),
                        call.kind() != Kind.DUE,
                        call.kind().isRerun()),
                () -> runner.ended(job, id, ledger));
        if (call.kind() != Kind.DUE) {
            logLate(call);
        }
        call.outcome(new SlotCall.Begun(claimed.ended()));
        return Optional.of(claimed);
    }

    private SlotCall.@Nullable Outcome claim(SlotCall call, LeaderWork work) {
        long slot = call.slot();
        if (call.kind() == Kind.DUE && isAfterGap(slot)) {
            log.debug("The slot {} of '{}' waits for earlier missed slots", Instant.ofEpochMilli(slot), name);
            return new SlotCall.TooEarly();
        }
        if (!call.kind().isRerun()) {
            ScheduleSlots.Claim claim = call.kind() == Kind.DUE ? slots.claim(slot) : slots.claimMissed(slot);
            if (claim == ScheduleSlots.Claim.TOO_EARLY) {
                heldBack(slot);
            }
            if (claim != ScheduleSlots.Claim.GRANTED) {
                log.debug("The slot {} of '{}' is not run: {}", Instant.ofEpochMilli(slot), name, claim);
                if (claim == ScheduleSlots.Claim.RUN_BEFORE && call.kind() == Kind.DUE) {
                    // Maybe by another schedule of the job, which a successor may not know any more when it looks for
                    // missed slots. As a claim, since that of the other schedule may be refused as late.
                    slots.goesOn(slot, schedule.next(slot));
                    CompletionStage<Boolean> unused = ledger.claim(name, clock.millis(), Map.of());
                }
                return claim == ScheduleSlots.Claim.RUN_BEFORE ? new SlotCall.RunBefore() : new SlotCall.TooEarly();
            }
            slots.goesOn(slot, schedule.next(slot));
        }
        log.debug("'{}' claims its slot {}", name, Instant.ofEpochMilli(slot));
        Instant now = clock.instant();
        String id = id(slot);
        runner.begun(id);
        SlotClaim own = new SlotClaim(work.token(), now, runner.node(), "");
        boolean recorded = ledger.isConfirmed(ledger.claim(name, now.toEpochMilli(), Map.of(id, own.format())));
        if (recorded && work.isCurrent()) {
            unconfirmedTold = false;
            runner.unconfirmed().confirmed();
            return null;
        }
        runner.forget(id);
        takeBack(call, id);
        logUnconfirmed(slot, recorded);
        return new SlotCall.Unanswered();
    }

    /** Logs that a slot was not claimed. All jobs repeat their attempts while the store is away: one warning is enough. */
    private void logUnconfirmed(long slot, boolean recorded) {
        boolean isFirst = runner.unconfirmed().begins() && !unconfirmedTold;
        unconfirmedTold = true;
        String text =
                "'{}' is not run now for its slot {}: {}. This node or the next leader runs it later, up to {} after"
                        + " its time. If the next leader finds the claim in the store, the slot is claimed and not known"
                        + " to have begun: it is run with rerunInterrupted only. While such attempts go on, further ones of any job are"
                        + " logged at DEBUG";
        Object[] values = {
            name,
            Instant.ofEpochMilli(slot),
            recorded
                    ? "leadership ended while the slot was claimed"
                    : "the store did not confirm that the slot is claimed",
            ReadableDuration.of(job.recoverWithin())
        };
        if (isFirst) {
            log.warn(text, values);
        } else {
            log.debug(text, values);
        }
    }

    /** Logs a late run, but not each missed slot: a job that is slower than its schedule runs all of its slots late. */
    private synchronized void logLate(SlotCall call) {
        long now = clock.millis();
        log.debug("'{}' is run for its slot {}, late", name, Instant.ofEpochMilli(call.slot()));
        if (call.kind() == Kind.MISSED) {
            if (now - lateTold < LATE_TOLD_MILLIS) {
                return;
            }
            lateTold = now;
        }
        runner.slotLog().late(job, call.slot(), reason(call.kind()));
    }

    /**
     * Whether the scheduler has left out slots before that one, since the job or the process stood still for longer than a period. A job that wants
     * each of them gets them first, this one after them.
     */
    private boolean isAfterGap(long slot) {
        synchronized (this) {
            long expected = slots.upcoming();
            if (recovering || !zoneAgrees || job.recover() != Recover.EVERY || expected == ScheduleSlots.NEVER) {
                return false;
            }
            long from = Math.max(expected, looked);
            if (from >= slot || schedule.next(from - 1) >= slot) {
                return false;
            }
            catchUpFrom(from);
            heldUntil = Math.max(heldUntil, slot);
        }
        runner.soon(job, this::recover);
        return true;
    }

    /** Recovers the slots whose calls the guard has refused during a hand-over that came to nothing. */
    void resume(String election) {
        if (!job.election().equals(election)) {
            return;
        }
        synchronized (this) {
            long expected = slots.upcoming();
            if (recovering || !zoneAgrees || expected == ScheduleSlots.NEVER || expected > clock.millis()) {
                return;
            }
            catchUpFrom(Math.max(expected, looked));
        }
        runner.soon(job, this::recover);
    }

    private synchronized void catchUpFrom(long from) {
        slots.hold();
        looked = from;
        slots.catchUp(RECOVERY, from);
        recovering = true;
    }

    /** Takes the claim of a slot back that was not run. The store may have it, and a later leader must not find it. */
    private void takeBack(SlotCall call, String id) {
        long slot = call.slot();
        boolean begins;
        synchronized (this) {
            if (call.kind().isRerun()) {
                interrupted.put(slot, call.kind());
            } else {
                slots.hold();
                slots.release(slot);
                // Outside of a recovery nothing before that slot is left to be looked at.
                looked = recovering ? Math.min(looked, slot) : slot;
                slots.catchUp(RECOVERY, looked);
            }
            begins = !recovering;
            recovering = true;
        }
        Set<String> ended = call.kind().isRerun() ? Set.of() : Set.of(id);
        CompletionStage<Boolean> unused = ledger.record(name, clock.millis(), Map.of(), ended);
        if (begins) {
            tryLater();
        }
    }

    /** Notes a slot that was held back: it is a missed one, also if the clock of this node has not quite reached it. */
    synchronized void heldBack(long slot) {
        heldUntil = Math.max(heldUntil, slot);
    }

    /** Runs one slot that was missed, and then the next, on threads of the scheduler. */
    private void recover() {
        try {
            while (runner.leads(job, ledger.token())) {
                if (runner.isResigning(job)) {
                    // It may lead on.
                    tryLater();
                    return;
                }
                int held = slots.heldBack();
                SlotCall next = next();
                if (next == null ? openUnlessMoreThan(held) : !goesOnAfter(next)) {
                    return;
                }
            }
        } catch (RuntimeException defect) {
            log.error("Failed to look for missed slots of '{}'. The attempt is repeated", name, defect);
            tryLater();
        }
    }

    /** Runs the job for a slot. Returns whether the next one can be looked for at once. */
    private boolean goesOnAfter(SlotCall call) {
        Instant slot = Instant.ofEpochMilli(call.slot());
        runner.call(job, call);
        SlotCall.Outcome outcome = call.outcome();
        if (outcome instanceof SlotCall.Begun begun) {
            reached();
            observer.recovered(job.election(), job.name());
            CompletionStage<Void> unused = begun.ended().thenRun(() -> runner.soon(job, this::recover));
            return false;
        }
        if (outcome instanceof SlotCall.Unanswered) {
            tryLater();
            return false;
        }
        if (outcome instanceof SlotCall.Unreached && putBack(call)) {
            tryLater();
            return false;
        }
        if (outcome instanceof SlotCall.Unreached) {
            log.warn(
                    "'{}' could not be run for its slot {}: its method was not called. Another interceptor of the bean"
                            + " '{}' may have blocked the call or failed",
                    name,
                    slot,
                    job.bean());
            observer.lost(job.election(), job.name(), 1);
        }
        return true;
    }

    private static String reason(Kind kind) {
        return switch (kind) {
            case INTERRUPTED -> "begun under an earlier leader";
            case CLAIMED -> "claimed by an earlier leader, and not known to have begun";
            case DUE, MISSED -> "not run by any leader in time. Further late slots within the hour are not logged";
        };
    }

    private synchronized void tryLater() {
        runner.later(job, Duration.ofMillis(pauses.nextBackOff()), this::recover);
    }

    /**
     * Keeps a slot whose call the guard has not admitted, maybe since this node is about to end its leadership. Returns whether to try it
     * again.
     */
    private synchronized boolean putBack(SlotCall call) {
        unreached++;
        if (unreached == ATTEMPTS) {
            unreached = 0;
            return false;
        }
        if (call.kind().isRerun()) {
            interrupted.put(call.slot(), call.kind());
        } else {
            looked = Math.min(looked, call.slot());
        }
        return true;
    }

    private synchronized void reached() {
        unreached = 0;
        pauses = PAUSES.start();
    }

    /** Lets slots be claimed at their time, unless others than so many have been held back. */
    private boolean openUnlessMoreThan(int held) {
        synchronized (this) {
            if (!slots.openUnlessMoreThan(held)) {
                return false;
            }
            recovering = false;
            slots.settle(looked - 1);
            slots.caughtUp(RECOVERY);
            pauses = PAUSES.start();
        }
        CompletionStage<Boolean> unused = ledger.record(name, clock.millis(), Map.of());
        return true;
    }

    /** The next slot to run late, {@code null} if there is none until now. */
    private synchronized @Nullable SlotCall next() {
        long now = Math.max(clock.millis(), heldUntil);
        Map.Entry<Long, Kind> begun = interrupted.pollFirstEntry();
        if (begun != null) {
            return new SlotCall(schedule.trigger(), begun.getKey(), begun.getValue());
        }
        long oldest = now - job.recoverWithin().toMillis();
        Long missed = job.recover() == Recover.EVERY ? earliest(oldest, now) : latest(oldest, now);
        if (missed == null) {
            looked = Math.max(looked, now + 1);
            return null;
        }
        slots.catchUp(RECOVERY, missed);
        // Of a job that is slower than its schedule not all runs are remembered; no claim is that old and unanswered.
        slots.settle(missed - SETTLED_AFTER_MILLIS);
        looked = missed + 1;
        return new SlotCall(schedule.trigger(), missed, Kind.MISSED);
    }

    private @Nullable Long earliest(long oldest, long now) {
        lose(looked, oldest, "older than " + ReadableDuration.of(job.recoverWithin()));
        looked = Math.max(looked, oldest);
        for (long slot = schedule.next(looked - 1);
                slot != ScheduleSlots.NEVER && slot <= now;
                slot = schedule.next(slot)) {
            if (!slots.isSettled(slot)) {
                return slot;
            }
        }
        return null;
    }

    /** The latest missed slot. Once that has been run, the earlier ones need not be. */
    private @Nullable Long latest(long oldest, long now) {
        Long latest = schedule.latest(Math.max(looked, oldest), now);
        if (latest == null) {
            lose(looked, oldest, "older than " + ReadableDuration.of(job.recoverWithin()));
            return null;
        }
        return slots.isSettled(latest) ? null : latest;
    }

    private void lose(long from, long to, String why) {
        int lost = schedule.count(from, to, SlotLog.COUNTED);
        if (lost > 0) {
            observer.lost(job.election(), job.name(), lost);
            runner.slotLog().lost(job, schedule, from, to, clock.millis(), why);
        }
    }

    /** The time from which on slots are certainly missed. Slots before it that a leader may have run are lost. */
    private long missedFrom(long now) {
        Long unsettled = slots.unsettledFrom(now);
        if (unsettled == null) {
            return now;
        }
        long proven = slots.provenFrom();
        if (proven <= unsettled) {
            return unsettled;
        }
        lose(
                unsettled,
                proven,
                "from before or shortly after a restart or replacement of the store, which may have lost the records"
                        + " of runs");
        // Maybe later than now: a leader with a clock ahead may have run what is still to come.
        return proven;
    }

    private void findInterrupted() {
        Set<String> given = new TreeSet<>();
        Map<String, String> running = ledger.running();
        running.forEach((id, run) -> {
            Long slot = slotOf(id);
            if (slot != null && isGiven(id, slot, beganAt(run), Kind.INTERRUPTED)) {
                given.add(id);
                log.warn(
                        "'{}' was started for its slot {} by an earlier leader and is not run again for it: {}",
                        name,
                        Instant.ofEpochMilli(slot),
                        job.rerunInterrupted()
                                ? "the store was restarted or replaced since then and may have lost the record that"
                                        + " the run ended"
                                : "that leadership ended before the run did, and rerunInterrupted is false");
                observer.interrupted(job.election(), job.name());
            }
        });
        ledger.claimed().forEach((id, entry) -> {
            Long slot = slotOf(id);
            SlotClaim claim = SlotClaim.parse(entry).orElse(UNREADABLE);
            if (slot != null
                    && !running.containsKey(id)
                    && isGiven(id, slot, claim.at().toEpochMilli(), Kind.CLAIMED)) {
                given.add(id);
                log.warn(
                        "'{}' is not run for its slot {}: it is claimed, by the earlier leader {} at {}, and not known"
                                + " to have begun, and {}",
                        name,
                        Instant.ofEpochMilli(slot),
                        claim.node(),
                        claim.at(),
                        job.rerunInterrupted()
                                ? "the store was restarted or replaced since then and may have lost the record that"
                                        + " the run ended"
                                : "rerunInterrupted is false");
                observer.lost(job.election(), job.name(), 1);
                runner.notBegun(job, slot, claim, ledger.token());
            }
        });
        if (!given.isEmpty()) {
            CompletionStage<Boolean> unused = ledger.recordRunning(Map.of(), given);
        }
    }

    /** Whether a slot that was claimed at that time, by the clock of its leader, is given up. If not, it runs here or will be run. */
    private boolean isGiven(String id, long slot, long at, Kind kind) {
        if (runner.isRunning(id)) {
            return false;
        }
        boolean isRun = job.rerunInterrupted() && at >= slots.provenFrom();
        if (isRun) {
            interrupted.put(slot, kind);
        }
        return !isRun;
    }

    /** When a run began, by the clock of its leader; long ago if that can't be read. */
    private static long beganAt(String run) {
        return SlotRun.parse(run).map(begun -> begun.at().toEpochMilli()).orElse(Long.MIN_VALUE);
    }

    private static ExponentialBackOff pauses() {
        ExponentialBackOff growing = new ExponentialBackOff(500, 2);
        growing.setMaxInterval(10_000);
        return growing;
    }

    private String id(long slot) {
        return name + "@" + slot;
    }

    private @Nullable Long slotOf(String id) {
        String prefix = name + "@";
        try {
            return id.startsWith(prefix) ? Long.valueOf(id.substring(prefix.length())) : null;
        } catch (NumberFormatException notOurs) {
            return null;
        }
    }
}
