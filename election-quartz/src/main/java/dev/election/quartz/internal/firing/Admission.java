package dev.election.quartz.internal.firing;

import dev.election.Election;
import dev.election.LeaderWork;
import dev.election.jobs.ledger.RecentSlots;
import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.jobs.slots.ScheduleSlots;
import dev.election.quartz.internal.rules.JobGuard;
import dev.election.quartz.internal.rules.QuartzData;
import dev.election.quartz.internal.scheduler.GuardedScheduler;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.scheduler.RunningJob;
import dev.election.quartz.internal.store.HandBack;
import dev.election.quartz.internal.store.Refiring;
import dev.election.quartz.internal.trigger.Firing;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides, from memory, whether a job that is about to be fired may run. */
public final class Admission {

    private static final Logger log = LoggerFactory.getLogger(Admission.class);

    private static final String UNKNOWN = "the record of the slots that earlier leaders have fired is not loaded yet";
    private static final String FIRED_BEFORE = "this slot was fired before";
    private static final String OTHER_LEADERSHIP =
            "it was scheduled by an earlier leader; this leader has searched for missed slots itself";
    private static final String ADMITS_NOTHING = "this node recovers as a new leader, or is giving up its leadership";
    private static final String NO_LEADER = "this node does not lead";

    private final GuardedScheduler guarded;
    private final QuartzObserver observer;
    private final HandBack handBack;

    public Admission(GuardedScheduler guarded, QuartzObserver observer) {
        this.guarded = guarded;
        this.observer = observer;
        this.handBack = new HandBack(guarded, observer);
    }

    /** The run of a guarded job; empty if the job must not run, in which case another node may be given the firing. */
    Optional<RunningJob> admit(JobGuard guard, JobExecutionContext context) {
        Firing firing = Firing.of(context);
        if (mayBeForgotten(firing)) {
            // Before the claim: a recovery of missed slots that finds a slot held back must find it here.
            guarded.vetoed().add(context, guard.election());
        }
        Election election = guarded.elections().get(guard.election());
        LeaderWork work = guarded.underWay()
                .arrived(context.getFireInstanceId())
                .or(election::beginWork)
                .orElse(null);
        if (work == null) {
            String reason = election.isLeader() ? ADMITS_NOTHING : NO_LEADER;
            tell(guard, firing, context, reason);
            leaveToOthers(guard, firing, context, reason);
            return Optional.empty();
        }
        Optional<RunningJob> admitted = Optional.empty();
        try {
            admitted = admit(guard, firing, work, context);
        } finally {
            if (admitted.isEmpty()) {
                work.close();
            }
        }
        return admitted;
    }

    private Optional<RunningJob> admit(JobGuard guard, Firing firing, LeaderWork work, JobExecutionContext context) {
        SchedulerLedger ledger = guarded.engine().ledger(guard.election(), work.token());
        String refusal = refusal(guard, firing, ledger, context);
        if (refusal != null) {
            tell(guard, firing, context, refusal);
            return Optional.empty();
        }
        String job = String.valueOf(context.getJobDetail().getKey());
        LeaderWork observed = observer.begun(guard.election(), job, work);
        return Optional.of(new RunningJob(guard, firing, observed, context, ledger));
    }

    private boolean mayBeForgotten(Firing firing) {
        return !guarded.guard().shared() && firing.kind() == Firing.Kind.REGULAR && firing.isLast();
    }

    private @Nullable String refusal(
            JobGuard guard, Firing firing, @Nullable SchedulerLedger ledger, JobExecutionContext context) {
        boolean shared = guarded.guard().shared();
        boolean again = context.getRefireCount() > 0;
        if (again || (!shared && firing.kind() == Firing.Kind.RECOVERY)) {
            return null;
        }
        if (shared) {
            return sharedRefusal(guard, firing, ledger, context);
        }
        if (ledger == null) {
            return UNKNOWN;
        }
        String under = context.getTrigger().getJobDataMap().getString(QuartzData.CATCHING_UP_UNDER);
        if (firing.kind() == Firing.Kind.CATCH_UP && !ledger.token().toString().equals(under)) {
            return OTHER_LEADERSHIP;
        }
        ScheduleSlots slots = ledger.slots(firing.schedule());
        boolean isLate = firing.kind() == Firing.Kind.CATCH_UP;
        return switch (isLate
                ? slots.claimMissed(firing.slot(), firing.previous())
                : slots.claim(firing.slot(), firing.previous())) {
            case GRANTED -> null;
            case TOO_EARLY -> UNKNOWN;
            case RUN_BEFORE -> FIRED_BEFORE;
        };
    }

    private @Nullable String sharedRefusal(
            JobGuard guard, Firing firing, @Nullable SchedulerLedger ledger, JobExecutionContext context) {
        if (ledger != null) {
            return claim(guard, firing, ledger.recent(), Refiring.unusedClaims(context)) ? null : FIRED_BEFORE;
        }
        if (guarded.guard().standby() == null) {
            // A veto would end the firing for all nodes.
            return null;
        }
        handBack.vetoed(firing, context, guard.election(), UNKNOWN);
        return UNKNOWN;
    }

    private boolean claim(JobGuard guard, Firing firing, RecentSlots slots, List<String> unused) {
        if (firing.kind() == Firing.Kind.RECOVERY) {
            return slots.claimRerun(firing.schedule(), firing.slot());
        }
        boolean granted = slots.claim(firing.schedule(), firing.slot(), unused);
        if (!granted
                && !unused.isEmpty()
                && slots.claimOf(firing.schedule(), firing.slot()).isEmpty()) {
            observer.lost(guarded.name(), guard.election(), 1);
            log.warn(
                    "The slot {} of {} is not fired: an earlier leader claimed it and did not start the job, and the ledger no longer shows"
                            + " whether another leader has fired it. election.quartz.lost counts such slots",
                    Instant.ofEpochMilli(firing.slot()),
                    firing.trigger());
        }
        return granted;
    }

    private void tell(JobGuard guard, Firing firing, JobExecutionContext context, String reason) {
        log.debug(
                "{} of {} is vetoed: {} ('{}')",
                context.getJobDetail().getKey(),
                firing.by(),
                reason,
                guard.election());
        observer.vetoed(guarded.name(), guard.election());
    }

    private void leaveToOthers(JobGuard guard, Firing firing, JobExecutionContext context, String reason) {
        SchedulerLedger ledger = guarded.engine().ledger(guard.election());
        if (firing.kind() == Firing.Kind.CATCH_UP && ledger != null) {
            ledger.slots(firing.schedule()).abandon(firing.by().getName());
        }
        if (guarded.guard().shared() && guarded.guard().standby() != null) {
            handBack.vetoed(firing, context, guard.election(), reason);
        }
    }
}
