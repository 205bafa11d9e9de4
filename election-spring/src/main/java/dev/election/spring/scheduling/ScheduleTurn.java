package dev.election.spring.scheduling;

import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.ScheduledSlot;
import dev.election.jobs.engine.ClaimedSlot;
import dev.election.jobs.engine.JobPlace;
import dev.election.jobs.engine.LeftSlot;
import dev.election.jobs.engine.SlotEngine;
import dev.election.jobs.engine.SlotId;
import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.jobs.slots.ScheduleSlots;
import dev.election.jobs.slots.SlotClaim;
import dev.election.jobs.slots.SlotRun;
import dev.election.spring.internal.slot.CronSchedule;
import dev.election.spring.internal.slot.SlotCall;
import dev.election.spring.internal.slot.SlotCall.Kind;
import dev.election.support.LogLimit;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
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

    private final ScheduledJob job;
    private final CronSchedule schedule;

    /** The name of the schedule in the ledger. */
    private final String name;

    private final SchedulerLedger ledger;
    private final ScheduleSlots slots;
    private final SlotEngine engine;
    private final JobScheduler scheduler;
    private final SlotLog slotLog;

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

    /** Lines about slots that are run late, but for those of earlier leaders that had begun. */
    private final LogLimit late = LogLimit.every(Duration.ofHours(1));

    /** The next pause. Guarded by this. */
    private BackOffExecution pauses = PAUSES.start();

    /** How often in a row the method was not called. Guarded by this. */
    private int unreached;

    /**
     * @param job that is run
     * @param schedule one of its schedules
     * @param ledger of the leadership
     * @param engine claims slots
     * @param scheduler calls the job
     * @param slotLog counts and logs slots that are not run, or late
     */
    ScheduleTurn(
            ScheduledJob job,
            CronSchedule schedule,
            SchedulerLedger ledger,
            SlotEngine engine,
            JobScheduler scheduler,
            SlotLog slotLog) {
        this.job = job;
        this.schedule = schedule;
        this.name = schedule.nameIn(ledger);
        this.ledger = ledger;
        this.slots = ledger.slots(name);
        this.engine = engine;
        this.scheduler = scheduler;
        this.slotLog = slotLog;
        this.zoneAgrees = scheduler.agreeOnZone(schedule);
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
        long now = now();
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
        scheduler.later(job, Duration.ZERO, this::recover);
    }

    /** Begins the call of this thread for a slot, which is claimed if it was not before. The work is closed if the method must not be called. */
    Optional<LeaderWork> enter(SlotCall call, LeaderWork work) {
        ClaimedSlot claimed = call.claimed() == null ? claimDue(call.slot(), work) : call.claimed();
        if (claimed == null || !claimed.token().equals(work.token())) {
            if (claimed != null) {
                // This node has led again meanwhile, and the turn has left out the slot, as if it ran here.
                engine.left(work, ledger, claimed).ifPresent(left -> takeBack(left, call.slot(), call.kind()));
            }
            work.close();
            return Optional.empty();
        }
        claimed.begin(new SlotRun(work.token(), scheduler.now(schedule)).format());
        if (call.kind() != Kind.DUE) {
            logLate(call);
        }
        ScheduledSlot slot = new ScheduledSlot(
                job.name(),
                Instant.ofEpochMilli(call.slot()),
                call.kind() != Kind.DUE,
                call.kind().isRerun());
        return Optional.of(new JobWork(work, slot, claimed));
    }

    /** Claims a slot at its time, {@code null} if it is not to be run now. */
    private @Nullable ClaimedSlot claimDue(long slot, LeaderWork work) {
        if (isAfterGap(slot)) {
            log.debug("The slot {} of '{}' waits for earlier missed slots", Instant.ofEpochMilli(slot), name);
            return null;
        }
        ScheduleSlots.Claim claim = slots.claim(slot);
        if (claim == ScheduleSlots.Claim.GRANTED) {
            return claimed(slot, Kind.DUE, work);
        }
        log.debug("The slot {} of '{}' is not run: {}", Instant.ofEpochMilli(slot), name, claim);
        if (claim == ScheduleSlots.Claim.TOO_EARLY) {
            heldBack(slot);
        } else {
            // Maybe by another schedule of the job, which a successor may not know any more when it looks for
            // missed slots. As a claim, since that of the other schedule may be refused as late.
            slots.goesOn(slot, schedule.next(slot));
            CompletionStage<Boolean> unused = ledger.claim(name, now(), Map.of());
        }
        return null;
    }

    /** Claims a slot in the store; {@code null} if it is not confirmed: then the slot is tried again. */
    private @Nullable ClaimedSlot claimed(long slot, Kind kind, LeaderWork work) {
        if (!kind.isRerun()) {
            slots.goesOn(slot, schedule.next(slot));
        }
        log.debug("'{}' claims its slot {}", name, Instant.ofEpochMilli(slot));
        ClaimedSlot claimed =
                engine.claim(work, ledger, new SlotId(name, slot, name + "@" + slot), scheduler.now(schedule), "");
        boolean recorded = claimed.isRecorded();
        if (recorded && work.isCurrent()) {
            engine.unconfirmed().confirmed();
            return claimed;
        }
        takeBack(claimed, slot, kind);
        engine.unconfirmed()
                .warn(
                        false,
                        "'{}' is not run now for its slot {}: {}. This node or the next leader runs it later, up to {} after"
                                + " its time. If the next leader finds the claim in the store, the slot is claimed and not known"
                                + " to have begun: it is run with rerunInterrupted only",
                        name,
                        Instant.ofEpochMilli(slot),
                        recorded
                                ? "leadership ended while the slot was claimed"
                                : "the store did not confirm that the slot is claimed",
                        ReadableDuration.of(job.recoverWithin()));
        return null;
    }

    /** Logs a late run, but not each missed slot: a job that is slower than its schedule runs all of its slots late. */
    private void logLate(SlotCall call) {
        log.debug("'{}' is run for its slot {}, late", name, Instant.ofEpochMilli(call.slot()));
        if (call.kind() != Kind.MISSED
                || late.begins(call.kind(), Duration.ofMillis(now()).toNanos())) {
            slotLog.late(job, call.slot(), reason(call.kind()));
        }
    }

    /**
     * Whether the scheduler has left out slots before that one, since the job or the process stood still for longer than a period. A job that wants
     * each of them gets them first, this one after them.
     */
    private synchronized boolean isAfterGap(long slot) {
        if (!job.runsEach() || !catchesUp(slot - 1)) {
            return false;
        }
        heldBack(slot);
        return true;
    }

    /** Recovers the slots whose calls the guard has refused during a hand-over that came to nothing. */
    void resume(String election) {
        if (job.election().equals(election)) {
            boolean unused = catchesUp(now());
        }
    }

    /** Catches up if there is a slot up to that time with which the schedule was to go on. Returns whether it does. */
    private synchronized boolean catchesUp(long time) {
        long expected = slots.upcoming();
        long from = Math.max(expected, looked);
        if (recovering
                || !zoneAgrees
                || expected == ScheduleSlots.NEVER
                || schedule.next(from - 1) == ScheduleSlots.NEVER
                || schedule.next(from - 1) > time) {
            return false;
        }
        slots.hold();
        looked = from;
        slots.catchUp(RECOVERY, from);
        recovering = true;
        recoverSoon();
        return true;
    }

    /** Takes the claim of a slot back that was not run, and tries it again. The store may have it, and a later leader must not find it. */
    private void takeBack(ClaimedSlot claimed, long slot, Kind kind) {
        boolean begins;
        synchronized (this) {
            begins = !recovering;
            putBack(slot, kind);
            recovering = true;
            if (kind.isRerun()) {
                claimed.leave(now());
            } else {
                slots.hold();
                claimed.takeBack(RECOVERY, looked, now());
            }
        }
        if (begins) {
            tryLater();
        }
    }

    /** Looks at a slot again. Outside of a recovery nothing before it is left to be looked at. */
    private synchronized void putBack(long slot, Kind kind) {
        if (kind.isRerun()) {
            interrupted.put(slot, kind);
        } else {
            looked = recovering ? Math.min(looked, slot) : slot;
        }
    }

    /** Notes a slot that was held back: it is a missed one, also if the clock of this node has not quite reached it. */
    synchronized void heldBack(long slot) {
        heldUntil = Math.max(heldUntil, slot);
    }

    /** Runs one slot that was missed, and then the next, on threads of the scheduler. */
    private void recover() {
        try {
            while (!scheduler.isClosed() && engine.leads(job.election(), ledger.token())) {
                LeaderWork work =
                        engine.beginWork(job.election(), ledger.token()).orElse(null);
                if (work == null || engine.isResigning(job.election()) || isRunLeft()) {
                    // It may lead on.
                    close(work);
                    tryLater();
                    return;
                }
                // No run by hand begins between the claim of a slot and its run, which would wait for its end.
                JobPlace place = engine.place(job.election(), job.name());
                if (!place.enterIfFree()) {
                    close(work);
                    tryLater();
                    return;
                }
                try (work) {
                    int held = slots.heldBack();
                    SlotCall next = next();
                    if (next == null ? openUnlessMoreThan(held) : !goesOnAfter(next, work)) {
                        return;
                    }
                } finally {
                    place.leave();
                }
            }
        } catch (RuntimeException defect) {
            log.error("Failed to look for missed slots of '{}'. The attempt is repeated", name, defect);
            tryLater();
        }
    }

    /** Whether a run for the partition goes on that began in an earlier leadership. */
    private boolean isRunLeft() {
        return job.isOfPartition() && engine.isAnyRunning(job.election(), name + "@");
    }

    private static void close(@Nullable LeaderWork work) {
        if (work != null) {
            work.close();
        }
    }

    /** Claims a slot and runs the job for it. Returns whether the next one can be looked for at once. */
    private boolean goesOnAfter(SlotCall call, LeaderWork work) {
        long slot = call.slot();
        if (!call.kind().isRerun() && slots.claimMissed(slot) != ScheduleSlots.Claim.GRANTED) {
            log.debug("The slot {} of '{}' was run before", Instant.ofEpochMilli(slot), name);
            return true;
        }
        ClaimedSlot claimed = claimed(slot, call.kind(), work);
        if (claimed == null) {
            tryLater();
            return false;
        }
        new SlotCall(call.trigger(), slot, call.kind(), claimed).make(() -> scheduler.call(job, work.election()));
        if (claimed.isBegun()) {
            reached();
            slotLog.observer().recovered(job.election(), job.name());
            CompletionStage<Void> unused = claimed.ended().thenRun(this::recoverSoon);
            return false;
        }
        if (isWorthAnotherAttempt()) {
            // The guard has not admitted the call, maybe since this node is about to end its leadership.
            takeBack(claimed, slot, call.kind());
            tryLater();
            return false;
        }
        claimed.end(() -> {});
        log.warn(
                "'{}' could not be run for its slot {}: its method was not called. Another interceptor of the bean"
                        + " '{}' may have blocked the call or failed",
                name,
                Instant.ofEpochMilli(slot),
                job.method().bean());
        slotLog.observer().lost(job.election(), job.name(), 1);
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
        scheduler.later(job, Duration.ofMillis(pauses.nextBackOff()), this::recover);
    }

    private synchronized boolean isWorthAnotherAttempt() {
        unreached = (unreached + 1) % ATTEMPTS;
        return unreached != 0;
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
        CompletionStage<Boolean> unused = ledger.record(name, now(), Map.of());
        return true;
    }

    /** The next slot to run late, {@code null} if there is none until now. */
    private synchronized @Nullable SlotCall next() {
        long now = Math.max(now(), heldUntil);
        Map.Entry<Long, Kind> begun = interrupted.pollFirstEntry();
        if (begun != null) {
            return new SlotCall(schedule.trigger(), begun.getKey(), begun.getValue(), null);
        }
        long oldest = now - job.recoverWithin().toMillis();
        Long missed = job.runsEach() ? earliest(oldest, now) : latest(oldest, now);
        if (missed == null) {
            looked = Math.max(looked, now + 1);
            return null;
        }
        slots.catchUp(RECOVERY, missed);
        // Of a job that is slower than its schedule not all runs are remembered; no claim is that old and unanswered.
        slots.settle(missed - SETTLED_AFTER_MILLIS);
        looked = missed + 1;
        return new SlotCall(schedule.trigger(), missed, Kind.MISSED, null);
    }

    private @Nullable Long earliest(long oldest, long now) {
        slotLog.lost(job, schedule, looked, oldest, "older than " + ReadableDuration.of(job.recoverWithin()));
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
            slotLog.lost(job, schedule, looked, oldest, "older than " + ReadableDuration.of(job.recoverWithin()));
            return null;
        }
        return slots.isSettled(latest) ? null : latest;
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
        slotLog.lost(
                job,
                schedule,
                unsettled,
                proven,
                "from before or shortly after a restart or replacement of the store, which may have lost the records"
                        + " of runs");
        // Maybe later than now: a leader with a clock ahead may have run what is still to come.
        return proven;
    }

    /** Decides which slots are run again that earlier leaders had begun, or claimed, and gives up the others. */
    private void findInterrupted() {
        Set<String> given = new TreeSet<>();
        for (LeftSlot left : LeftSlot.in(ledger)) {
            Long slot = slotOf(left.id());
            if (slot != null && !engine.isRunning(job.election(), left.id()) && !isRerun(slot, left)) {
                given.add(left.id());
            }
        }
        if (!given.isEmpty()) {
            CompletionStage<Boolean> unused = ledger.recordRunning(Map.of(), given);
        }
    }

    private boolean isRerun(long slot, LeftSlot left) {
        SlotClaim claim = SlotClaim.parse(left.entry()).orElse(UNREADABLE);
        long at = left.hasBegun() ? beganAt(left.entry()) : claim.at().toEpochMilli();
        if (job.terms().rerunInterrupted() && at >= slots.provenFrom()) {
            interrupted.put(slot, left.hasBegun() ? Kind.INTERRUPTED : Kind.CLAIMED);
            return true;
        }
        String lost = "the store was restarted or replaced since then and may have lost the record that the run ended";
        Instant time = Instant.ofEpochMilli(slot);
        if (left.hasBegun()) {
            log.warn(
                    "'{}' was started for its slot {} by an earlier leader and is not run again for it: {}",
                    name,
                    time,
                    job.terms().rerunInterrupted()
                            ? lost
                            : "that leadership ended before the run did, and rerunInterrupted is false");
            slotLog.observer().interrupted(job.election(), job.name());
        } else {
            log.warn(
                    "'{}' is not run for its slot {}: it is claimed, by the earlier leader {} at {}, and not known"
                            + " to have begun, and {}",
                    name,
                    time,
                    claim.node(),
                    claim.at(),
                    job.terms().rerunInterrupted() ? lost : "rerunInterrupted is false");
            slotLog.observer().lost(job.election(), job.name(), 1);
            engine.notBegun(job.election(), job.name(), slot, claim, ledger.token());
        }
        return false;
    }

    /** When a run began, by the clock of its leader; long ago if that can't be read. */
    private static long beganAt(String run) {
        return SlotRun.parse(run).map(begun -> begun.at().toEpochMilli()).orElse(Long.MIN_VALUE);
    }

    private long now() {
        return scheduler.now(schedule).toEpochMilli();
    }

    private static ExponentialBackOff pauses() {
        ExponentialBackOff growing = new ExponentialBackOff(500, 2);
        growing.setMaxInterval(10_000);
        return growing;
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
