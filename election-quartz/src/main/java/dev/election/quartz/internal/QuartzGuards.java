package dev.election.quartz.internal;

import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.jobs.internal.JobHistory;
import dev.election.jobs.internal.Ledger;
import dev.election.jobs.internal.LedgerProblem;
import dev.election.jobs.internal.LedgerUser;
import dev.election.jobs.internal.SharedLedgers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
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
    private final Function<String, SchedulerChoice> choices;
    private final QuartzObserver observer;
    private final Duration recoverWithin;
    private final InstantSource clock;
    private final SharedLedgers ledgers;
    private final JobHistory history;
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
     * @param rules which election guards which job
     * @param choices how to guard the scheduler of that name
     * @param ledgers where leaders record what was fired. Over a {@link dev.election.jobs.internal.NoLedgerStore} nothing that an earlier leader missed
     *     is fired late, unless no other node has led before
     * @param history where runs are recorded
     * @param observer observes the firings
     * @param transactions of the job stores that nodes share
     * @param recoverWithin how long a firing that was missed is worth being fired late; zero: not at all
     * @param clock of this node, by which its schedulers fire
     */
    public QuartzGuards(
            Supplier<Elections> elections,
            GuardRules rules,
            Function<String, SchedulerChoice> choices,
            SharedLedgers ledgers,
            JobHistory history,
            QuartzObserver observer,
            StoreTransactions transactions,
            Duration recoverWithin,
            InstantSource clock) {
        this.elections = elections;
        this.rules = rules;
        this.choices = choices;
        this.ledgers = ledgers;
        this.history = history;
        this.observer = observer;
        this.transactions = transactions;
        this.recoverWithin = recoverWithin;
        this.clock = clock;
    }

    /** Guards a scheduler from now on. Guarding it twice does nothing. */
    public synchronized void guard(Scheduler scheduler) {
        if (schedulers.stream().anyMatch(known -> known.isOf(scheduler))) {
            return;
        }
        try {
            String name = scheduler.getSchedulerName();
            GuardedScheduler.Way way = choices.apply(name).way(scheduler);
            GuardedScheduler guarded =
                    new GuardedScheduler(scheduler, name, way, this::elections, ledgers, transactions, recoverWithin);
            SchedulerRules ownRules = new SchedulerRules(rules, name, way.standby());
            Admission admission = new Admission(guarded, observer);
            FiringNotes notes = new FiringNotes(guarded, observer, clock);
            SlotClaims claims = new SlotClaims(guarded, notes, observer, clock);
            new GuardListener(guarded, ownRules, admission, claims, notes, history).listen();
            guarded.closeStore(observer);
            SchedulerTurns itsTurns = new SchedulerTurns(guarded, ownRules, recoverWithin, clock, history, observer);
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
