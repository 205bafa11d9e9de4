package dev.election.quartz;

import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import org.quartz.JobExecutionContext;
import org.quartz.Trigger;
import org.quartz.TriggerKey;

/**
 * Writes down for a successor what was fired and what runs. It is sent as the job starts, and nobody waits for it: a leader that
 * dies before it has arrived leaves a slot that is fired again.
 */
final class FiringNotes {

    private final GuardedScheduler guarded;
    private final QuartzObserver observer;
    private final InstantSource clock;

    FiringNotes(GuardedScheduler guarded, QuartzObserver observer, InstantSource clock) {
        this.guarded = guarded;
        this.observer = observer;
        this.clock = clock;
    }

    void started(RunningJob job) {
        JobExecutionContext context = job.context();
        Firing firing = Firing.of(context);
        if (firing.kind() == Firing.Kind.CATCH_UP || firing.kind() == Firing.Kind.RECOVERY) {
            observer.recovered(guarded.name(), job.guard().election());
        }
        JobLedger ledger = job.ledger();
        if (ledger == null) {
            return;
        }
        if (guarded.way().shared()) {
            // What runs, and what to do if its node dies, the store knows.
            job.writing(ledger.fired(guarded.name()).write(firing.trigger(), clock.millis()));
            return;
        }
        Map<String, String> marks = context.getJobDetail().requestsRecovery()
                ? Map.of(mark(job), JobMark.of(context).format())
                : Map.of();
        if (firing.kind() == Firing.Kind.RECOVERY) {
            String earlier = context.getTrigger().getJobDataMap().getString(QuartzData.MARK);
            job.writing(ledger.write(marks, earlier == null ? Set.of() : Set.of(earlier)));
            return;
        }
        SlotLedger slots = ledger.slots(guarded.name(), firing.trigger());
        if (firing.kind() == Firing.Kind.REGULAR) {
            slots.goesOn(firing.slot(), firing.next());
        } else if (firing.isLast()) {
            slots.caughtUp(firing.by().getName());
        }
        job.writing(ledger.write(guarded.name(), firing.trigger(), clock.millis(), marks));
    }

    void ended(RunningJob job) {
        JobLedger ledger = job.ledger();
        if (ledger != null
                && !guarded.way().shared()
                && job.context().getJobDetail().requestsRecovery()) {
            job.writing(ledger.write(Map.of(), Set.of(mark(job))));
        }
    }

    /** A trigger that catches up has ended, maybe without a firing, as its misfire instruction says. */
    void caughtUp(Trigger trigger) {
        JobLedger ledger = guarded.currentLedger(trigger.getJobDataMap().getString(QuartzData.ELECTION));
        TriggerKey missed = Firing.missed(trigger);
        if (ledger != null
                && ledger.slots(guarded.name(), missed)
                        .caughtUp(trigger.getKey().getName())) {
            ledger.write(guarded.name(), missed, clock.millis(), Map.of());
        }
    }

    private String mark(RunningJob job) {
        return EntryName.mark(guarded.name(), job.token(), job.context().getFireInstanceId());
    }
}
