package dev.election.quartz.internal.firing;

import dev.election.quartz.internal.scheduler.GuardedScheduler;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.scheduler.RunningJob;
import dev.election.quartz.internal.store.HandBack;
import dev.election.quartz.internal.store.Refiring;
import dev.election.quartz.internal.trigger.Firing;
import dev.election.quartz.internal.trigger.Scheduling;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.quartz.JobDetail;
import org.quartz.Trigger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a job begin only when the store has confirmed that its slot is claimed: a leader that dies after that leaves no slot that the next
 * one fires again. A slot whose claim is not confirmed is fired later, by this leader or the next. Runs on the thread of the job, which
 * waits for one round trip.
 */
public final class SlotClaims {

    private static final Logger log = LoggerFactory.getLogger(SlotClaims.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Duration LONGEST_ON_THREAD = Duration.ofSeconds(5);

    private final GuardedScheduler guarded;
    private final FiringNotes notes;
    private final HandBack handBack;
    private final QuartzObserver observer;
    private final InstantSource clock;

    /** Whether it was logged that a claim is not confirmed, since the last confirmed claim. */
    private final AtomicBoolean told = new AtomicBoolean();

    /** Whether it was logged that a slot is too old to be fired, since the last confirmed claim. */
    private final AtomicBoolean tooOld = new AtomicBoolean();

    public SlotClaims(GuardedScheduler guarded, FiringNotes notes, QuartzObserver observer) {
        this.guarded = guarded;
        this.notes = notes;
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
        notes.claimed(job, waits);
        if (waits) {
            if (!job.isConfirmed()) {
                return false;
            }
            told.set(false);
            tooOld.set(false);
        }
        Firing firing = job.firing();
        if (!guarded.guard().shared() && firing.kind() != Firing.Kind.RECOVERY) {
            guarded.vetoed().remove(firing.trigger(), firing.slot());
        }
        return true;
    }

    /** Schedules a later firing of a slot whose claim was not confirmed and whose job did not begin. */
    void fireLater(RunningJob job) {
        if (job.firing().slot() < clock.millis() - guarded.recoverWithin().toMillis()) {
            // The slot stays claimed, so that no node fires it any more, and no successor counts it as lost once more.
            notes.ended(job);
            tellLost(job);
            return;
        }
        int times = Refiring.times(job.context()) + 1;
        Optional<String> claim = notes.claimOf(job);
        String catchUp = "unconfirmed_" + job.context().getFireInstanceId() + "/" + job.token();
        notes.takenBack(job, catchUp);
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
        warnOnce(
                tooOld,
                "The slot {} of {} is not fired: it could not be fired within {} (election.quartz.recover-within)."
                        + " election.quartz.lost counts such slots",
                Instant.ofEpochMilli(job.firing().slot()),
                job.firing().trigger(),
                ReadableDuration.of(guarded.recoverWithin()));
    }

    private void tell(RunningJob job) {
        warnOnce(
                told,
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

    private static void warnOnce(AtomicBoolean told, String text, Object... values) {
        if (told.getAndSet(true)) {
            log.debug(text, values);
        } else {
            log.warn(text + ". Further ones are logged at DEBUG until a claim is confirmed", values);
        }
    }
}
