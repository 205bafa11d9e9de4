package dev.election.quartz.internal.firing;

import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.jobs.slots.ScheduleSlots;
import dev.election.jobs.slots.SlotClaim;
import dev.election.quartz.internal.rules.QuartzData;
import dev.election.quartz.internal.scheduler.GuardedScheduler;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.scheduler.RunningJob;
import dev.election.quartz.internal.store.Refiring;
import dev.election.quartz.internal.trigger.Firing;
import dev.election.quartz.internal.trigger.JobMark;
import dev.election.quartz.internal.trigger.LedgerNames;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.quartz.JobExecutionContext;
import org.quartz.Trigger;

/** Records for a successor what was fired and what runs. Does not wait for the store. */
public final class FiringNotes {

    private final GuardedScheduler guarded;
    private final QuartzObserver observer;
    private final InstantSource clock;

    public FiringNotes(GuardedScheduler guarded, QuartzObserver observer) {
        this.guarded = guarded;
        this.observer = observer;
        this.clock = guarded.clock();
    }

    /**
     * Records that this leader fires the slot of a job.
     *
     * @param waits whether the job begins when the store has confirmed that, which it does soon or never
     */
    void claimed(RunningJob job, boolean waits) {
        Firing firing = job.firing();
        SchedulerLedger ledger = job.ledger();
        if (ledger == null) {
            return;
        }
        if (guarded.guard().shared()) {
            // What runs, and what to do if its node dies, the store knows.
            job.writing(
                    waits
                            ? ledger.recent().recordClaim(firing.schedule(), clock.millis())
                            : ledger.recent().record(firing.schedule(), clock.millis()));
            return;
        }
        JobExecutionContext context = job.context();
        Map<String, String> marks = marks(job);
        if (firing.kind() == Firing.Kind.RECOVERY) {
            String earlier = context.getTrigger().getJobDataMap().getString(QuartzData.MARK);
            job.writing(ledger.recordRunning(marks, earlier == null ? Set.of() : Set.of(earlier)));
            return;
        }
        String schedule = firing.schedule();
        if (firing.kind() == Firing.Kind.REGULAR) {
            ledger.slots(schedule).goesOn(firing.slot(), firing.next());
        } else if (firing.isLast()) {
            ledger.slots(schedule).caughtUp(firing.by().getName());
        }
        job.writing(waits ? claim(job, ledger) : ledger.record(schedule, clock.millis(), marks));
    }

    private CompletionStage<Boolean> claim(RunningJob job, SchedulerLedger ledger) {
        SlotClaim claim = new SlotClaim(
                job.token(),
                clock.instant(),
                guarded.elections().node(),
                JobMark.of(job.context()).format());
        job.claimed(true);
        return ledger.claim(job.firing().schedule(), clock.millis(), Map.of(mark(job), claim.format()));
    }

    private static Map<String, String> marks(RunningJob job) {
        return job.context().getJobDetail().requestsRecovery()
                ? Map.of(mark(job), JobMark.of(job.context()).format())
                : Map.of();
    }

    /** The claim of a job's slot in a store that nodes share; empty if it is not known. */
    Optional<String> claimOf(RunningJob job) {
        SchedulerLedger ledger = job.ledger();
        return ledger == null
                ? Optional.empty()
                : ledger.recent().claimOf(job.firing().schedule(), job.firing().slot());
    }

    /** Takes a slot back that was not fired after all. The catch-up of that name begins with it, here or on the next leader. */
    void takenBack(RunningJob job, String catchUp) {
        SchedulerLedger ledger = Objects.requireNonNull(job.ledger(), "only what is recorded is taken back");
        Firing firing = job.firing();
        if (guarded.guard().shared()) {
            ledger.recent().release(firing.schedule(), firing.slot());
            job.writing(ledger.recent().record(firing.schedule(), clock.millis()));
            return;
        }
        ScheduleSlots slots = ledger.slots(firing.schedule());
        slots.catchUp(catchUp, firing.slot());
        slots.release(firing.slot());
        job.writing(ledger.record(firing.schedule(), clock.millis(), Map.of(), Set.of(mark(job))));
    }

    void begun(RunningJob job) {
        SchedulerLedger ledger = job.ledger();
        if (ledger != null && job.isClaimed()) {
            Map<String, String> marks = marks(job);
            job.claimed(false);
            job.writing(ledger.recordRunning(marks, marks.isEmpty() ? Set.of(mark(job)) : Set.of()));
        }
        Firing.Kind kind = job.firing().kind();
        boolean isRetry = Refiring.times(job.context()) > 0;
        if (kind == Firing.Kind.RECOVERY || (kind == Firing.Kind.CATCH_UP && !isRetry)) {
            observer.recovered(guarded.name(), job.guard().election());
        }
    }

    void ended(RunningJob job) {
        SchedulerLedger ledger = job.ledger();
        if (ledger != null
                && !guarded.guard().shared()
                && (job.isClaimed() || job.context().getJobDetail().requestsRecovery())) {
            job.writing(ledger.recordRunning(Map.of(), Set.of(mark(job))));
        }
    }

    /** Notes the end of a trigger that catches up, maybe without a firing, as its misfire instruction says. */
    void caughtUp(Trigger trigger) {
        SchedulerLedger ledger = guarded.ledger(trigger.getJobDataMap().getString(QuartzData.ELECTION));
        String schedule = LedgerNames.schedule(Firing.missed(trigger));
        if (ledger != null && ledger.slots(schedule).caughtUp(trigger.getKey().getName())) {
            CompletionStage<Boolean> unused = ledger.record(schedule, clock.millis(), Map.of());
        }
    }

    private static String mark(RunningJob job) {
        return LedgerNames.running(job.token(), job.context().getFireInstanceId());
    }
}
