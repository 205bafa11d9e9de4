package dev.election.quartz;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.LeaderWork;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides whether a job may run that is about to be fired. From memory, since it is asked within a veto. */
final class Admission {

    private static final Logger log = LoggerFactory.getLogger(Admission.class);

    private static final String UNKNOWN = "it is not known yet what earlier leaders have fired";
    private static final String FIRED_BEFORE = "this slot was fired before";
    private static final String RESIGNING = "this node is giving its leadership up";
    private static final String NO_LEADER = "this node does not lead";

    private final GuardedScheduler guarded;
    private final GuardRules rules;
    private final QuartzObserver observer;
    private final HandBack handBack;

    Admission(GuardedScheduler guarded, GuardRules rules, QuartzObserver observer) {
        this.guarded = guarded;
        this.rules = rules;
        this.observer = observer;
        this.handBack = new HandBack(guarded);
    }

    /** What guards the job, {@code null} if it runs on every node. */
    @Nullable
    JobGuard guard(JobExecutionContext context) {
        return guarded.guard(rules, context);
    }

    /** Asks for a job that is guarded so. Empty if it must not run; then others may have been told so. */
    Optional<LeaderWork> admit(JobGuard guard, JobExecutionContext context) {
        Firing firing = Firing.of(context);
        boolean mayBeForgotten = !guarded.way().shared() && firing.kind() == Firing.Kind.REGULAR && firing.isLast();
        if (mayBeForgotten) {
            // Before the claim: a take-over that finds a slot held back must find it here.
            guarded.vetoed().add(context, guard.election());
        }
        Election election = guarded.elections().get(guard.election());
        Optional<LeaderWork> work = election.beginWork();
        if (work.isEmpty()) {
            String reason = election.isLeader() ? RESIGNING : NO_LEADER;
            tell(guard, firing, context, reason);
            leaveToOthers(guard, firing, context, reason);
            return work;
        }
        String refusal = "something failed";
        try {
            refusal = refusal(guard, firing, work.get().token(), context);
        } finally {
            if (refusal != null) {
                work.get().close();
            }
        }
        if (refusal != null) {
            tell(guard, firing, context, refusal);
            return Optional.empty();
        }
        if (mayBeForgotten || firing.kind() == Firing.Kind.CATCH_UP) {
            guarded.vetoed().remove(firing.trigger());
        }
        String job = String.valueOf(context.getJobDetail().getKey());
        return work.map(admitted -> observer.begun(guard.election(), job, admitted));
    }

    private @Nullable String refusal(JobGuard guard, Firing firing, FencingToken token, JobExecutionContext context) {
        boolean shared = guarded.way().shared();
        boolean again = context.getRefireCount() > 0;
        if (again || (!shared && firing.kind() == Firing.Kind.RECOVERY)) {
            return null;
        }
        JobLedger ledger = guarded.ledger(guard.election(), token);
        if (shared) {
            return sharedRefusal(guard, ledger, firing, context);
        }
        if (ledger == null) {
            return UNKNOWN;
        }
        SlotLedger slots = ledger.slots(guarded.name(), firing.trigger());
        boolean isLate = firing.kind() == Firing.Kind.CATCH_UP;
        return switch (isLate ? slots.claimMissed(firing.slot()) : slots.claim(firing.slot())) {
            case GRANTED -> null;
            case TOO_EARLY -> UNKNOWN;
            case FIRED_BEFORE -> FIRED_BEFORE;
        };
    }

    /** A recovery runs again what was fired, but marks it as fired if it was not: it may have been handed back besides. */
    private @Nullable String sharedRefusal(
            JobGuard guard, @Nullable JobLedger ledger, Firing firing, JobExecutionContext context) {
        if (ledger != null) {
            boolean granted = ledger.fired(guarded.name()).claim(firing.trigger(), firing.slot());
            return granted || firing.kind() == Firing.Kind.RECOVERY ? null : FIRED_BEFORE;
        }
        if (guarded.way().standby() == null) {
            // A veto would end it for all nodes.
            return null;
        }
        handBack.vetoed(context, guard.election(), UNKNOWN);
        return UNKNOWN;
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
        JobLedger ledger = guarded.currentLedger(guard.election());
        if (firing.kind() == Firing.Kind.CATCH_UP && ledger != null) {
            ledger.slots(guarded.name(), firing.trigger()).abandon(firing.by().getName());
        }
        if (guarded.way().shared() && guarded.way().standby() != null) {
            handBack.vetoed(context, guard.election(), reason);
        }
    }
}
