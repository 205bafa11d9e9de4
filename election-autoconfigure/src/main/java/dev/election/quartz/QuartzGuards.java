package dev.election.quartz;

import dev.election.Elections;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
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

/** Guards the schedulers of a context: lets their jobs run where they may, and nothing be lost when leadership changes. */
public final class QuartzGuards implements SmartInitializingSingleton, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(QuartzGuards.class);

    private final Supplier<Elections> elections;
    private final GuardRules rules;
    private final Function<String, SchedulerChoice> choices;
    private final QuartzObserver observer;
    private final Duration recoverWithin;
    private final InstantSource clock;
    private final Supplier<@Nullable Logbook> book;
    private final StoreTransactions transactions;
    private final List<SchedulerTurns> schedulers = new CopyOnWriteArrayList<>();
    private final LeadershipListener listener = new Turns();
    private volatile @Nullable Ledgers ledgers;
    private volatile @Nullable Elections heard;
    private boolean started;

    /**
     * Creates the guards of a context.
     *
     * @param elections asked for when there is a scheduler to guard
     * @param rules which election guards which job
     * @param choices how to guard the scheduler of that name
     * @param book where leaders write what was fired; asked for with the elections, and may give {@code null}: then nothing that
     *     an earlier leader missed is fired late, unless no other node has led before
     * @param observer counts
     * @param transactions of the job stores that nodes share
     * @param recoverWithin how long a firing that was missed is worth being fired late; zero: not at all
     * @param clock of this node, by which its schedulers fire
     */
    public QuartzGuards(
            Supplier<Elections> elections,
            GuardRules rules,
            Function<String, SchedulerChoice> choices,
            Supplier<@Nullable Logbook> book,
            QuartzObserver observer,
            StoreTransactions transactions,
            Duration recoverWithin,
            InstantSource clock) {
        this.elections = elections;
        this.rules = rules;
        this.choices = choices;
        this.book = book;
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
                    scheduler, name, way, elections, ledgers(), transactions, recoverWithin.toMillis());
            new GuardListener(
                            guarded, new Admission(guarded, rules, observer), new FiringNotes(guarded, observer, clock))
                    .listen();
            guarded.closeStore();
            SchedulerTurns turns = new SchedulerTurns(guarded, rules, recoverWithin, clock);
            turns.listen();
            schedulers.add(turns);
            if (started) {
                join(turns);
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

    /** What is wrong with the log in which leaders of that election write what was fired, if anything is. */
    public Optional<JobLogProblem> problem(String election) {
        Ledgers known = ledgers;
        return known == null ? Optional.empty() : known.problem(election);
    }

    /** Fails at startup, and not at the first firing, if nothing can decide who leads, or what guards a job. */
    @Override
    public synchronized void afterSingletonsInstantiated() {
        started = true;
        if (!schedulers.isEmpty()) {
            names();
            hear();
        }
    }

    @Override
    public synchronized void destroy() {
        Elections from = heard;
        if (from != null) {
            from.removeListener(listener);
        }
        schedulers.forEach(SchedulerTurns::close);
        Ledgers written = ledgers;
        if (written != null) {
            written.close();
        }
    }

    private void hear() {
        if (heard == null) {
            Elections joined = elections.get();
            heard = joined;
            joined.addListener(listener);
        }
    }

    /** One that is made when the application has started may find that this node leads already. */
    private void join(SchedulerTurns scheduler) {
        hear();
        for (String name : scheduler.names()) {
            elections.get().get(name);
            JobLedger ledger = ledgers().find(name);
            if (ledger != null) {
                scheduler.takeOver(name, ledger);
            }
        }
    }

    private Ledgers ledgers() {
        Ledgers known = ledgers;
        if (known == null) {
            known = new Ledgers(book.get(), recoverWithin, clock);
            ledgers = known;
        }
        return known;
    }

    /** What happens in the elections. Told on a thread of the elections' listeners, never on that of the elections. */
    private final class Turns implements LeadershipListener {

        @Override
        public void onAcquired(LeadershipEvent.Acquired event) {
            Ledgers known = ledgers;
            Elections from = heard;
            if (known == null || from == null) {
                return;
            }
            String election = event.election();
            known.open(
                    election,
                    event.leader().token(),
                    from,
                    ledger -> schedulers.forEach(scheduler -> scheduler.takeOver(election, ledger)));
        }

        @Override
        public void onResigning(LeadershipEvent.Resigning event) {
            schedulers.forEach(scheduler -> scheduler.follow(event.election()));
        }

        @Override
        public void onLost(LeadershipEvent.Lost event) {
            Ledgers known = ledgers;
            if (known != null) {
                known.close(event.election(), event.token());
            }
            schedulers.forEach(scheduler -> scheduler.lost(event.election(), event.token()));
        }

        @Override
        public void onLeaderChanged(LeadershipEvent.LeaderChanged event) {
            Ledgers known = ledgers;
            Elections from = heard;
            if (known != null && from != null) {
                event.leader()
                        .filter(leader -> !leader.node().equals(from.node()))
                        .ifPresent(other -> known.ledByAnother(event.election()));
            }
        }
    }
}
