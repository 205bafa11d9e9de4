package dev.election.quartz.internal.firing;

import dev.election.jobs.engine.ClaimedSlot;
import dev.election.jobs.engine.SlotEngine;
import dev.election.jobs.engine.SlotId;
import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.quartz.internal.rules.QuartzData;
import dev.election.quartz.internal.scheduler.GuardedScheduler;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.scheduler.RunningJob;
import dev.election.quartz.internal.store.HandBack;
import dev.election.quartz.internal.store.Refiring;
import dev.election.quartz.internal.trigger.Firing;
import dev.election.quartz.internal.trigger.JobMark;
import dev.election.quartz.internal.trigger.LedgerNames;
import dev.election.quartz.internal.trigger.Scheduling;
import dev.election.support.LogLimit;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDetail;
import org.quartz.Trigger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims the slots of jobs, and records for a successor what was fired and what runs. If claims are to be confirmed, a job begins only when
 * the store has confirmed its claim: a leader that dies after that leaves no slot that the next one fires again. A slot whose claim is not
 * confirmed is fired later, by this leader or the next. Runs on the thread of the job, which waits for that one round trip only.
 */
public final class SlotClaims {

    private static final Logger log = LoggerFactory.getLogger(SlotClaims.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Duration LONGEST_ON_THREAD = Duration.ofSeconds(5);

    private final GuardedScheduler guarded;
    private final HandBack handBack;
    private final QuartzObserver observer;
    private final InstantSource clock;

    /** Whether it was logged that a slot is too old to be fired, since the last confirmed claim. */
    private final LogLimit tooOld = LogLimit.once();

    public SlotClaims(GuardedScheduler guarded, QuartzObserver observer) {
        this.guarded = guarded;
        this.handBack = new HandBack(guarded, observer);
        this.observer = observer;
        this.clock = guarded.clock();
    }

    /** Claims the slot of a job. Returns whether the job may begin. */
    boolean claim(RunningJob job) {
        pauseBeforeNextAttempt(job);
        log.debug(
                "{} claims its slot {}",
                job.firing().trigger(),
                Instant.ofEpochMilli(job.firing().slot()));
        boolean waits = mustBeConfirmed(job);
        if (job.ledger() != null) {
            record(job, job.ledger(), waits);
        }
        if (waits) {
            if (!job.isConfirmed()) {
                return false;
            }
            guarded.engine().unconfirmed().confirmed();
            tooOld.ends(guarded);
        }
        Firing firing = job.firing();
        if (!guarded.guard().shared() && firing.kind() != Firing.Kind.RECOVERY) {
            guarded.vetoed().remove(firing.trigger(), firing.slot());
        }
        return true;
    }

    /** Records that this leader fires the slot of a job. */
    private void record(RunningJob job, SchedulerLedger ledger, boolean waits) {
        Firing firing = job.firing();
        String schedule = firing.schedule();
        SlotId slot = new SlotId(
                schedule,
                firing.slot(),
                LedgerNames.running(job.token(), job.context().getFireInstanceId()));
        SlotEngine engine = guarded.engine();
        long now = clock.millis();
        if (guarded.guard().shared()) {
            // The store knows the job that runs, and what to do if its node dies.
            job.claims(engine.run(
                    job.work(),
                    ledger,
                    slot,
                    null,
                    marks -> waits
                            ? ledger.recent().recordClaim(schedule, now)
                            : ledger.recent().record(schedule, now)));
            return;
        }
        if (firing.kind() == Firing.Kind.RECOVERY) {
            String earlier = job.context().getTrigger().getJobDataMap().getString(QuartzData.MARK);
            job.claims(engine.run(
                    job.work(),
                    ledger,
                    slot,
                    mark(job),
                    marks -> ledger.recordRunning(marks, earlier == null ? Set.of() : Set.of(earlier))));
            return;
        }
        if (firing.kind() == Firing.Kind.REGULAR) {
            ledger.slots(schedule).goesOn(firing.slot(), firing.next());
        } else if (firing.isLast()) {
            ledger.slots(schedule).caughtUp(firing.by().getName());
        }
        job.claims(
                waits
                        ? engine.claim(
                                job.work(),
                                ledger,
                                slot,
                                clock.instant(),
                                JobMark.of(job.context()).format())
                        : engine.run(
                                job.work(), ledger, slot, mark(job), marks -> ledger.record(schedule, now, marks)));
    }

    /** Returns the mark of a running job for its successor, {@code null} for none. */
    private static @Nullable String mark(RunningJob job) {
        return job.context().getJobDetail().requestsRecovery()
                ? JobMark.of(job.context()).format()
                : null;
    }

    /** Records that a job begins. */
    void begun(RunningJob job) {
        if (job.slot() != null) {
            job.slot().begin(mark(job));
        }
        Firing.Kind kind = job.firing().kind();
        boolean isRetry = Refiring.times(job.context()) > 0;
        if (kind == Firing.Kind.RECOVERY || (kind == Firing.Kind.CATCH_UP && !isRetry)) {
            observer.recovered(guarded.name(), job.guard().election());
        }
    }

    /** Notes the end of a trigger that catches up, maybe without a firing, as its misfire instruction says. */
    void caughtUp(Trigger trigger) {
        SchedulerLedger ledger = guarded.engine().ledger(trigger.getJobDataMap().getString(QuartzData.ELECTION));
        String schedule = LedgerNames.schedule(Firing.missed(trigger));
        if (ledger != null && ledger.slots(schedule).caughtUp(trigger.getKey().getName())) {
            CompletionStage<Boolean> unused = ledger.record(schedule, clock.millis(), Map.of());
        }
    }

    /** The claim of a job's slot in a store that nodes share; empty if it is not known. */
    private static Optional<String> claimOf(RunningJob job) {
        SchedulerLedger ledger = job.ledger();
        return ledger == null
                ? Optional.empty()
                : ledger.recent().claimOf(job.firing().schedule(), job.firing().slot());
    }

    /** Takes a slot back that was not fired after all. The catch-up of that name begins with it, here or on the next leader. */
    private void takeBack(RunningJob job, String catchUp) {
        SchedulerLedger ledger = Objects.requireNonNull(job.ledger(), "only what is recorded is taken back");
        ClaimedSlot slot = Objects.requireNonNull(job.slot());
        Firing firing = job.firing();
        if (guarded.guard().shared()) {
            ledger.recent().release(firing.schedule(), firing.slot());
            slot.writing(ledger.recent().record(firing.schedule(), clock.millis()));
        } else {
            slot.takeBack(catchUp, firing.slot(), clock.millis());
        }
    }

    /** Schedules a later firing of a slot whose claim was not confirmed and whose job did not begin. */
    void fireLater(RunningJob job) {
        if (job.firing().slot() < clock.millis() - guarded.recoverWithin().toMillis()) {
            // The slot stays claimed, so that no node fires it any more, and no successor counts it as lost once more.
            tellLost(job);
            return;
        }
        int times = Refiring.times(job.context()) + 1;
        Optional<String> claim = claimOf(job);
        String catchUp = "unconfirmed_" + job.context().getFireInstanceId() + "/" + job.token();
        takeBack(job, catchUp);
        tell(job);
        if (guarded.guard().shared()) {
            handBack.again(
                    job.context(),
                    Refiring.unconfirmedOfAll(job, claim, times),
                    job.guard().election());
        } else {
            again(job, Refiring.unconfirmed(job, catchUp, times), pauseAfter(times));
        }
    }

    /** Schedules the slot again while this leadership lasts: the next leader searches for missed slots itself. */
    private void again(RunningJob job, Trigger again, Duration pause) {
        JobDetail detail = job.context().getJobDetail();
        guarded.laterBy(pause, "fire " + detail.getKey() + " again", () -> {
            if (job.isCurrent()) {
                Scheduling.againUnlessDeleted(
                        guarded.scheduler(), detail, again, job.firing().isLast());
            }
        });
    }

    /**
     * Pauses before a further attempt. A shared job store gets a slot back at once, since this node may die or stop, so its pause is made
     * here, by the thread of the next attempt.
     */
    private void pauseBeforeNextAttempt(RunningJob job) {
        int times = guarded.guard().shared() ? Refiring.times(job.context()) : 0;
        if (times > 0) {
            Duration pause = pauseAfter(times);
            try {
                Thread.sleep(Math.min(pause.toMillis(), LONGEST_ON_THREAD.toMillis()));
            } catch (InterruptedException lost) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A deliberate rerun (recovery, refire) needs no confirmed claim, nor does a firing that a veto would end for all nodes. */
    private boolean mustBeConfirmed(RunningJob job) {
        return guarded.guard().confirmed()
                && job.ledger() != null
                && !guarded.recoverWithin().isZero()
                && job.firing().kind() != Firing.Kind.RECOVERY
                && job.context().getRefireCount() == 0
                && (!guarded.guard().shared() || guarded.guard().standby() != null);
    }

    private static Duration pauseAfter(int times) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(times - 1, 10));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    private void tellLost(RunningJob job) {
        observer.lost(guarded.name(), job.guard().election(), 1);
        String text =
                "The slot {} of {} is not fired: it could not be fired within {} (election.quartz.recover-within)."
                        + " election.quartz.lost counts such slots";
        Object[] values = {
            Instant.ofEpochMilli(job.firing().slot()),
            job.firing().trigger(),
            ReadableDuration.of(guarded.recoverWithin())
        };
        if (tooOld.begins(guarded)) {
            log.warn(text + ". Further ones are logged at DEBUG until a claim is confirmed", values);
        } else {
            log.debug(text, values);
        }
    }

    private void tell(RunningJob job) {
        guarded.engine()
                .unconfirmed()
                .warn(
                        false,
                        "{} does not begin for its slot {}: {}. This node or the next leader fires it later, up to {} after"
                                + " its time{}",
                        job.context().getJobDetail().getKey(),
                        Instant.ofEpochMilli(job.firing().slot()),
                        job.isCurrent()
                                ? "the store did not confirm that the slot is claimed"
                                : "leadership ended while the slot was claimed",
                        ReadableDuration.of(guarded.recoverWithin()),
                        guarded.guard().shared()
                                ? ""
                                : ". If the next leader finds the claim in the store, the slot is claimed and not known to"
                                        + " have begun: it is fired only if the job requests recovery");
    }
}
