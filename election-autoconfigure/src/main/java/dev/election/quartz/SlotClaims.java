package dev.election.quartz;

import dev.election.text.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a job begin only when the store has confirmed that its slot is claimed: a leader that dies after that leaves no slot that the next one
 * fires again. A slot whose claim is not confirmed is fired later, by this leader or the next. On the thread that runs the job, which
 * waits for one round trip.
 */
final class SlotClaims {

    private static final Logger log = LoggerFactory.getLogger(SlotClaims.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final GuardedScheduler guarded;
    private final FiringNotes notes;
    private final HandBack handBack;
    private final QuartzObserver observer;
    private final InstantSource clock;

    /** Whether it has been told that claims are not confirmed, since the last that was. */
    private final AtomicBoolean told = new AtomicBoolean();

    SlotClaims(GuardedScheduler guarded, FiringNotes notes, QuartzObserver observer, InstantSource clock) {
        this.guarded = guarded;
        this.notes = notes;
        this.handBack = new HandBack(guarded);
        this.observer = observer;
        this.clock = clock;
    }

    /** Claims the slot of a job. Returns whether the job may begin. */
    boolean claim(RunningJob job) {
        notes.claimed(job);
        if (mustBeConfirmed(job)) {
            if (!job.isConfirmed()) {
                return false;
            }
            told.set(false);
        }
        if (!guarded.way().shared()) {
            guarded.vetoed().remove(job.firing().trigger());
        }
        return true;
    }

    /** Has a slot fired later whose claim was not confirmed, and whose job did not begin. */
    void fireLater(RunningJob job) {
        int times = Refiring.times(job.context()) + 1;
        String catchUp = job.firing().trigger() + "@" + job.firing().slot() + "/" + job.token() + "#" + times;
        notes.takenBack(job, catchUp);
        tell(job);
        if (guarded.way().shared()) {
            handBack.again(
                    job.isCurrent() ? pauseAfter(times) : Duration.ZERO,
                    job.context(),
                    Refiring.unconfirmedOfAll(job.firing(), job.context(), times));
        } else if (job.isCurrent()) {
            fireHere(job, catchUp, times);
        }
    }

    /** A second run of what was fired, on purpose, is not bound to its slot; and where a veto ends a firing for all nodes there is none. */
    private boolean mustBeConfirmed(RunningJob job) {
        return guarded.way().confirmed()
                && job.ledger() != null
                && !guarded.recoverWithin().isZero()
                && job.firing().kind() != Firing.Kind.RECOVERY
                && job.context().getRefireCount() == 0
                && (!guarded.way().shared() || guarded.way().standby() != null);
    }

    private void fireHere(RunningJob job, String catchUp, int times) {
        JobExecutionContext context = job.context();
        JobDetail detail = context.getJobDetail();
        if (job.firing().slot() < clock.millis() - guarded.recoverWithin().toMillis()) {
            observer.lost(guarded.name(), job.guard().election(), 1);
            log.warn(
                    "The slot {} of {} is not fired: its claim could not be confirmed within {} (election.quartz.recover-within)",
                    Instant.ofEpochMilli(job.firing().slot()),
                    job.firing().trigger(),
                    ReadableDuration.of(guarded.recoverWithin()));
            return;
        }
        guarded.laterBy(
                pauseAfter(times),
                "fire " + detail.getKey() + " again",
                () -> Scheduling.again(
                        guarded.scheduler(),
                        detail,
                        Refiring.unconfirmed(
                                job.firing(), context, catchUp, job.guard().election(), times)));
    }

    private static Duration pauseAfter(int times) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(times - 1, 10));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    private void tell(RunningJob job) {
        String text =
                "{} does not begin for its slot {}: {}. It is fired later, up to {} after its time, by this node or by the next leader"
                        + " unless that one has seen the claim";
        Object[] values = {
            job.context().getJobDetail().getKey(),
            Instant.ofEpochMilli(job.firing().slot()),
            job.isCurrent()
                    ? "the store did not confirm that the slot is claimed"
                    : "leadership ended while the slot was claimed",
            ReadableDuration.of(guarded.recoverWithin())
        };
        if (told.getAndSet(true)) {
            log.debug(text, values);
        } else {
            log.warn(text + ". Further ones are logged at DEBUG until a claim is confirmed", values);
        }
    }
}
