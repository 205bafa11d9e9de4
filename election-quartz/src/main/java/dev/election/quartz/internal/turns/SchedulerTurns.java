package dev.election.quartz.internal.turns;

import dev.election.ElectionConfigurationException;
import dev.election.FencingToken;
import dev.election.jobs.ledger.Ledger;
import dev.election.quartz.internal.recovery.MissedSlotRecovery;
import dev.election.quartz.internal.rules.JobGuard;
import dev.election.quartz.internal.rules.SchedulerRules;
import dev.election.quartz.internal.scheduler.GuardedScheduler;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.scheduler.SchedulerSwitch;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDetail;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.impl.matchers.GroupMatcher;
import org.quartz.listeners.SchedulerListenerSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and ends the turn of a scheduler as its node begins and ceases to lead. Work that may block runs on the worker thread of the
 * scheduler.
 */
final class SchedulerTurns {

    private static final Logger log = LoggerFactory.getLogger(SchedulerTurns.class);

    private final GuardedScheduler guarded;
    private final SchedulerRules rules;
    private final QuartzObserver observer;
    private final @Nullable SchedulerSwitch onAndOff;

    SchedulerTurns(GuardedScheduler guarded, SchedulerRules rules, QuartzObserver observer) {
        this.guarded = guarded;
        this.rules = rules;
        this.observer = observer;
        String standby = guarded.guard().standby();
        this.onAndOff = standby == null ? null : new SchedulerSwitch(guarded, standby);
    }

    boolean isOf(Scheduler scheduler) {
        return guarded.scheduler() == scheduler;
    }

    void listen() throws SchedulerException {
        if (onAndOff != null) {
            onAndOff.listen();
        }
    }

    /** Whether its jobs may be guarded by that election: they may name one only when they fire, unless the scheduler follows one. */
    boolean uses(String election) {
        String standby = guarded.guard().standby();
        return standby == null || standby.equals(election);
    }

    /**
     * Recovers missed slots and starts the scheduler, since this node leads and knows what earlier leaders have fired. A store that nodes
     * share knows itself what was missed.
     */
    void lead(String election, Ledger ledger) {
        guarded.later("take over '" + election + "'", () -> {
            withRecovery(election, ledger, MissedSlotRecovery::run);
            start(election);
        });
    }

    /** Notes the next slots and puts the scheduler on standby, since this node begins nothing new for a while, and may lead on. */
    void interrupt(String election, @Nullable Ledger ledger) {
        guarded.later(
                "interrupt '" + election + "'", () -> withRecovery(election, ledger, MissedSlotRecovery::interrupt));
        follow(election);
    }

    /** Starts the scheduler again and catches up, since this node leads on after all. */
    void resume(String election, @Nullable Ledger ledger) {
        guarded.later("resume '" + election + "'", () -> {
            start(election);
            withRecovery(election, ledger, MissedSlotRecovery::resume);
        });
    }

    private void withRecovery(String election, @Nullable Ledger ledger, Consumer<MissedSlotRecovery> task) {
        if (ledger != null && !guarded.guard().shared()) {
            task.accept(new MissedSlotRecovery(
                    guarded, rules, election, guarded.engine().partOf(ledger), observer));
        }
    }

    /** Puts the scheduler on standby if it follows the election, since this node leads no more, or soon will not. */
    void follow(String election) {
        SchedulerSwitch standby = onAndOff;
        if (standby != null && election.equals(guarded.guard().standby())) {
            guarded.later("go on standby", standby::follow);
        }
    }

    /** Notifies running jobs, and puts the scheduler on standby, since this node leads no more. */
    void lost(String election, FencingToken token) {
        guarded.lost(election, token);
        follow(election);
    }

    void close() {
        guarded.close();
    }

    /** The elections that guard its jobs, as far as they can be told before jobs fire. */
    Set<String> names() {
        Set<String> names = new TreeSet<>(rules.configured());
        if (onAndOff != null) {
            return names;
        }
        try {
            for (JobKey key : guarded.scheduler().getJobKeys(GroupMatcher.anyJobGroup())) {
                JobDetail job = guarded.scheduler().getJobDetail(key);
                if (job != null) {
                    addNames(job, names);
                }
            }
        } catch (SchedulerException unknown) {
            log.warn(
                    "The jobs of '{}' can't be read; their elections are joined when they fire",
                    guarded.name(),
                    unknown);
        }
        return names;
    }

    private void addNames(JobDetail job, Set<String> names) throws SchedulerException {
        List<? extends Trigger> triggers = guarded.scheduler().getTriggersOfJob(job.getKey());
        if (triggers.isEmpty()) {
            // It may be triggered later, or by hand.
            addName(rules.guard(job), names);
        }
        for (Trigger trigger : triggers) {
            addName(rules.guard(job, trigger), names);
        }
    }

    private static void addName(@Nullable JobGuard guard, Set<String> names) {
        if (guard != null) {
            names.add(guard.election());
        }
    }

    /**
     * Joins the elections of jobs that are added from now on, before they fire, and checks those that {@link #names()} does not read.
     *
     * @throws ElectionConfigurationException if the guard of one can't be kept
     */
    void watchJobs() {
        try {
            guarded.scheduler().getListenerManager().addSchedulerListener(new SchedulerListenerSupport() {
                @Override
                public void jobAdded(JobDetail job) {
                    added(job);
                }
            });
            if (onAndOff != null) {
                for (JobKey key : guarded.scheduler().getJobKeys(GroupMatcher.anyJobGroup())) {
                    find(key).ifPresent(rules::guard);
                }
            }
        } catch (SchedulerException unreadable) {
            log.warn(
                    "The jobs of '{}' can't be read; their guards are checked when they fire",
                    guarded.name(),
                    unreadable);
        }
    }

    /**
     * The job of that key, empty if it can't be read: in a store that nodes share, other applications may have jobs whose classes are
     * missing here.
     */
    private Optional<JobDetail> find(JobKey key) {
        try {
            return Optional.ofNullable(guarded.scheduler().getJobDetail(key));
        } catch (SchedulerException unreadable) {
            log.debug("The job {} of '{}' can't be read", key, guarded.name(), unreadable);
            return Optional.empty();
        }
    }

    private void added(JobDetail job) {
        try {
            JobGuard guard = rules.guard(job);
            if (guard != null) {
                guarded.elections().get(guard.election());
                observer.guarded(guard.election());
            }
        } catch (ElectionConfigurationException unguardable) {
            log.error(
                    "The job {} will not run: {}. {}", job.getKey(), unguardable.getMessage(), unguardable.getAction());
        }
    }

    private void start(String election) {
        if (onAndOff != null && election.equals(guarded.guard().standby())) {
            onAndOff.lead();
        }
    }
}
