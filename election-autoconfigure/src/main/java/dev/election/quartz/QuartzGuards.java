package dev.election.quartz;

import dev.election.Election;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.ledger.Ledger;
import dev.election.ledger.LedgerProblem;
import dev.election.ledger.Ledgers;
import dev.election.store.Logbook;
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
import org.springframework.util.function.SingletonSupplier;

/** Guards the schedulers of a context: lets their jobs run where they may, and nothing be lost when leadership changes. */
public final class QuartzGuards implements SmartInitializingSingleton, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(QuartzGuards.class);

    private final Supplier<Elections> elections;
    private final GuardRules rules;
    private final Function<String, SchedulerChoice> choices;
    private final QuartzObserver observer;
    private final Duration recoverWithin;
    private final InstantSource clock;
    private final SingletonSupplier<Logbook> book;
    private final Ledgers ledgers;
    private final StoreTransactions transactions;
    private final List<SchedulerTurns> schedulers = new CopyOnWriteArrayList<>();

    /** The elections, once something has asked for them. */
    private volatile @Nullable Elections foundElections;

    /** What listens to them. Guarded by this, as are joining and leaving. */
    private @Nullable Turns turns;

    private boolean started;

    /**
     * Creates the guards of a context.
     *
     * @param elections asked for when there is a scheduler to guard
     * @param rules which election guards which job
     * @param choices how to guard the scheduler of that name
     * @param book where leaders record what was fired; asked for with the elections. With {@link dev.election.ledger.NoLogbook} nothing
     *     that an earlier leader missed is fired late, unless no other node has led before
     * @param observer counts
     * @param transactions of the job stores that nodes share
     * @param recoverWithin how long a firing that was missed is worth being fired late; zero: not at all
     * @param clock of this node, by which its schedulers fire
     */
    public QuartzGuards(
            Supplier<Elections> elections,
            GuardRules rules,
            Function<String, SchedulerChoice> choices,
            Supplier<Logbook> book,
            QuartzObserver observer,
            StoreTransactions transactions,
            Duration recoverWithin,
            InstantSource clock) {
        this.elections = elections;
        this.rules = rules;
        this.choices = choices;
        this.book = SingletonSupplier.of(book);
        this.ledgers = new Ledgers(this.book::obtain, recoverWithin, clock);
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
            GuardedScheduler guarded = new GuardedScheduler(
                    scheduler, name, way, this::elections, ledgers, transactions, recoverWithin.toMillis());
            SchedulerRules ownRules = new SchedulerRules(rules, name, way.standby());
            Admission admission = new Admission(guarded, observer);
            new GuardListener(guarded, ownRules, admission, new FiringNotes(guarded, observer, clock)).listen();
            guarded.closeStore();
            SchedulerTurns itsTurns = new SchedulerTurns(guarded, ownRules, recoverWithin, clock);
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

    /** What is wrong with the ledger in which leaders of that election record what was fired, if anything is. */
    public Optional<LedgerProblem> problem(String election) {
        return ledgers.problem(election);
    }

    /** Fails at startup, and not at the first firing, if nothing can decide who leads, what guards a job, or where to record it. */
    @Override
    public synchronized void afterSingletonsInstantiated() {
        started = true;
        if (!schedulers.isEmpty()) {
            names();
            listen();
        }
    }

    @Override
    public synchronized void destroy() {
        Turns listening = turns;
        if (listening != null) {
            listening.elections.removeListener(listening);
        }
        schedulers.forEach(SchedulerTurns::close);
        ledgers.close();
    }

    /** Looked up once only: every firing asks for them, and {@link Supplier} may have to search the context. */
    private Elections elections() {
        Elections found = foundElections;
        if (found == null) {
            found = elections.get();
            foundElections = found;
        }
        return found;
    }

    private void listen() {
        if (turns == null) {
            Elections joined = elections();
            book.obtain();
            Turns listening = new Turns(joined);
            joined.addListener(listening);
            turns = listening;
        }
    }

    /** One that is made when the application has started may find that this node leads already. */
    private void join(SchedulerTurns scheduler) {
        listen();
        for (String name : scheduler.names()) {
            elections().get(name);
            Ledger ledger = ledgers.find(name);
            if (ledger != null) {
                scheduler.takeOver(name, ledger);
            }
        }
    }

    /** What happens in the elections. Told on a thread of the elections' listeners, never on that of the elections. */
    private final class Turns implements LeadershipListener {

        private final Elections elections;

        private Turns(Elections elections) {
            this.elections = elections;
        }

        @Override
        public void onAcquired(LeadershipEvent.Acquired event) {
            String election = event.election();
            FencingToken token = event.leader().token();
            ledgers.open(
                    election,
                    token,
                    () -> leads(election, token),
                    ledger -> schedulers.forEach(scheduler -> scheduler.takeOver(election, ledger)));
        }

        @Override
        public void onResigning(LeadershipEvent.Resigning event) {
            schedulers.forEach(scheduler -> scheduler.follow(event.election()));
        }

        @Override
        public void onLost(LeadershipEvent.Lost event) {
            ledgers.close(event.election(), event.token());
            schedulers.forEach(scheduler -> scheduler.lost(event.election(), event.token()));
        }

        @Override
        public void onLeaderChanged(LeadershipEvent.LeaderChanged event) {
            event.leader()
                    .filter(leader -> !leader.node().equals(elections.node()))
                    .ifPresent(other -> ledgers.ledByAnother(event.election()));
        }

        private boolean leads(String election, FencingToken token) {
            return elections
                    .find(election)
                    .flatMap(Election::leadership)
                    .filter(leadership -> leadership.token().equals(token))
                    .isPresent();
        }
    }
}
