package dev.election.quartz.internal.turns;

import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.jobs.history.JobRecords;
import dev.election.jobs.ledger.Ledger;
import dev.election.jobs.ledger.LedgerProblem;
import dev.election.jobs.ledger.LedgerUser;
import dev.election.jobs.ledger.SharedLedgers;
import dev.election.quartz.internal.firing.Admission;
import dev.election.quartz.internal.firing.GuardListener;
import dev.election.quartz.internal.firing.SlotClaims;
import dev.election.quartz.internal.rules.GuardRules;
import dev.election.quartz.internal.rules.QuartzSettings;
import dev.election.quartz.internal.rules.SchedulerChoice;
import dev.election.quartz.internal.rules.SchedulerGuard;
import dev.election.quartz.internal.rules.SchedulerRules;
import dev.election.quartz.internal.scheduler.GuardedScheduler;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.scheduler.StoreTransactions;
import dev.election.quartz.internal.store.GuardedJobStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Guards the schedulers of a context: their jobs run where they may, and no firing is lost when leadership changes. */
public final class QuartzGuards implements SmartInitializingSingleton, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(QuartzGuards.class);

    private final Supplier<Elections> elections;
    private final GuardRules rules;
    private final SchedulerChoice choice;
    private final QuartzObserver observer;
    private final InstantSource clock;
    private final SharedLedgers ledgers;
    private final JobRecords records;
    private final StoreTransactions transactions;
    private final List<SchedulerTurns> schedulers = new CopyOnWriteArrayList<>();

    /** The elections, once something has asked for them. */
    private volatile @Nullable Elections foundElections;

    /** User of the ledgers, which joins once there is a scheduler. */
    private final Turns turns = new Turns();

    /** Whether the ledgers were joined. Guarded by this, like the next field. */
    private boolean joined;

    private boolean started;

    /**
     * Creates the guards of a context.
     *
     * @param elections asked for when there is a scheduler to guard
     * @param settings which election guards which job, and how each scheduler is guarded
     * @param records where leaders record what was fired, and the runs
     * @param observer observes the firings
     * @param transactions of the job stores that nodes share
     * @param clock of this node, by which its schedulers fire
     */
    public QuartzGuards(
            Supplier<Elections> elections,
            QuartzSettings settings,
            JobRecords records,
            QuartzObserver observer,
            StoreTransactions transactions,
            InstantSource clock) {
        this.elections = elections;
        this.rules = settings.rules();
        this.choice = settings.choice();
        this.ledgers = records.ledgers();
        this.records = records;
        this.observer = observer;
        this.transactions = transactions;
        this.clock = clock;
    }

    /** Guards a scheduler from now on. Guarding it twice does nothing. */
    public synchronized void guard(Scheduler scheduler) {
        if (schedulers.stream().anyMatch(known -> known.isOf(scheduler))) {
            return;
        }
        try {
            String name = scheduler.getSchedulerName();
            SchedulerGuard guard = choice.guard(scheduler);
            GuardedScheduler guarded =
                    new GuardedScheduler(scheduler, guard, this::elections, records, transactions, clock);
            SchedulerRules ownRules = new SchedulerRules(rules, name, guard.standby());
            Admission admission = new Admission(guarded, observer);
            SlotClaims claims = new SlotClaims(guarded, observer);
            new GuardListener(guarded, ownRules, admission, claims, records.history()).listen();
            GuardedJobStore.install(guarded, observer);
            SchedulerTurns itsTurns = new SchedulerTurns(guarded, ownRules, observer);
            itsTurns.listen();
            schedulers.add(itsTurns);
            if (started) {
                join(itsTurns);
            }
        } catch (SchedulerException unguardable) {
            log.error("{} can't be guarded: its jobs run on EVERY node", scheduler, unguardable);
        }
    }

    /** The elections that guard jobs of the schedulers, so that this node takes part in them. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        schedulers.forEach(scheduler -> names.addAll(scheduler.names()));
        return names;
    }

    /** The problem of the ledger with the firings of that election, if it has one. */
    public Optional<LedgerProblem> problem(String election) {
        return ledgers.problem(election);
    }

    /** Fails at startup, and not at the first firing, if nothing can decide who leads, what guards a job, or where to record it. */
    @Override
    public synchronized void afterSingletonsInstantiated() {
        started = true;
        if (!schedulers.isEmpty()) {
            names().forEach(observer::guarded);
            listen();
            schedulers.forEach(SchedulerTurns::watchJobs);
        }
    }

    @Override
    public synchronized void destroy() {
        ledgers.leave(turns);
        schedulers.forEach(SchedulerTurns::close);
    }

    /** The elections, looked up once only: every firing asks for them, and {@link Supplier} may have to search the context. */
    private Elections elections() {
        Elections found = foundElections;
        if (found == null) {
            found = elections.get();
            foundElections = found;
        }
        return found;
    }

    private void listen() {
        if (!joined) {
            elections();
            ledgers.join(turns);
            joined = true;
        }
    }

    /** Joins a scheduler that is made when the application has started: this node may lead already. */
    private void join(SchedulerTurns scheduler) {
        listen();
        scheduler.watchJobs();
        scheduler.names().forEach(name -> {
            elections().get(name);
            observer.guarded(name);
        });
        ledgers.usesMore(turns);
    }

    /** Connects the schedulers to the ledgers. */
    private final class Turns implements LedgerUser {

        @Override
        public Need need() {
            return new Need(
                    "guarded Quartz jobs",
                    "set election.jobs.ledger=off: then a new leader does not run missed slots, and may run a slot"
                            + " again that the earlier leader has run");
        }

        @Override
        public boolean uses(String election) {
            return schedulers.stream().anyMatch(scheduler -> scheduler.uses(election));
        }

        @Override
        public void opened(String election, Ledger ledger) {
            schedulers.forEach(scheduler -> scheduler.lead(election, ledger));
        }

        @Override
        public void resigning(String election) {
            schedulers.forEach(scheduler -> scheduler.interrupt(election, ledgers.find(election)));
        }

        @Override
        public void resumed(String election) {
            schedulers.forEach(scheduler -> scheduler.resume(election, ledgers.find(election)));
        }

        @Override
        public void lost(String election, FencingToken token) {
            schedulers.forEach(scheduler -> scheduler.lost(election, token));
        }
    }
}
