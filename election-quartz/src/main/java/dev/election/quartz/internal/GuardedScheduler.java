package dev.election.quartz.internal;

import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.jobs.internal.Ledger;
import dev.election.jobs.internal.SchedulerLedger;
import dev.election.jobs.internal.SharedLedgers;
import dev.election.support.DaemonThreads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A scheduler with its running jobs, its part of the ledgers, and a worker thread. */
final class GuardedScheduler {

    private static final Logger log = LoggerFactory.getLogger(GuardedScheduler.class);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Scheduler scheduler;
    private final String name;
    private final String nameInLedger;
    private final Way way;
    private final Supplier<Elections> elections;
    private final SharedLedgers ledgers;
    private final Duration recoverWithin;
    private final Vetoed vetoed;
    private final StoreTransactions transactions;
    private final FiringsUnderWay underWay = new FiringsUnderWay();
    private final Set<RunningJob> running = ConcurrentHashMap.newKeySet();

    /** Runs tasks that may block, such as on a store of jobs in a database. */
    private final ThreadPoolExecutor worker;

    GuardedScheduler(
            Scheduler scheduler,
            String name,
            Way way,
            Supplier<Elections> elections,
            SharedLedgers ledgers,
            StoreTransactions transactions,
            Duration recoverWithin) {
        this.scheduler = scheduler;
        this.name = name;
        this.nameInLedger = LedgerNames.scheduler(name);
        this.way = way;
        this.elections = elections;
        this.ledgers = ledgers;
        this.transactions = transactions;
        this.vetoed = new Vetoed(recoverWithin.toMillis());
        this.recoverWithin = recoverWithin;
        this.worker = new ThreadPoolExecutor(
                1, 1, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new DaemonThreads("election-quartz-" + name));
        worker.allowCoreThreadTimeOut(true);
    }

    Scheduler scheduler() {
        return scheduler;
    }

    String name() {
        return name;
    }

    Way way() {
        return way;
    }

    Elections elections() {
        return elections.get();
    }

    FiringsUnderWay underWay() {
        return underWay;
    }

    /** How long a slot of this scheduler is worth being fired late. */
    Duration recoverWithin() {
        return recoverWithin;
    }

    Vetoed vetoed() {
        return vetoed;
    }

    /** The ledger of its jobs in a leadership, {@code null} before it is open. */
    @Nullable
    SchedulerLedger ledger(String election, FencingToken token) {
        Ledger open = ledgers.find(election, token);
        return open == null ? null : partOf(open);
    }

    /** The ledger of its jobs in the leadership that this node has, or had a moment ago; {@code null} if none is open. */
    @Nullable
    SchedulerLedger ledger(String election) {
        Ledger open = ledgers.find(election);
        return open == null ? null : partOf(open);
    }

    /** The part of this scheduler in that ledger. */
    SchedulerLedger partOf(Ledger ledger) {
        return ledger.of(nameInLedger, recoverWithin);
    }

    /** Keeps the scheduler from a store that it shares with the leader while this node is not the leader. */
    void closeStore(QuartzObserver observer) {
        String standby = way.standby();
        if (way.shared() && standby != null) {
            HandBack handBack = new HandBack(this, observer);
            GuardedJobStore.install(
                    this, () -> elections().find(standby), (job, fired) -> handBack.neverBegun(job, fired, standby));
        }
    }

    /** Text for logs: when a trigger that is scheduled for now is fired. */
    String whenFired() throws SchedulerException {
        return scheduler.isInStandbyMode() ? "as soon as the scheduler '" + name + "' is started" : "at once";
    }

    void began(RunningJob job) {
        running.add(job);
        if (!job.isCurrent()) {
            // The loss may have been notified just before.
            job.lost(scheduler);
        }
    }

    void ended(RunningJob job) {
        running.remove(job);
        job.end();
    }

    /** Notifies the jobs that run under a leadership of its loss. */
    void lost(String election, FencingToken token) {
        running.stream()
                .filter(job ->
                        job.guard().election().equals(election) && job.token().equals(token))
                .forEach(job -> job.lost(scheduler));
    }

    /** Runs a task that may block, on the worker thread, in the order of the calls. */
    void later(String what, Task task) {
        laterBy(Duration.ZERO, what, task);
    }

    /** Changes the store of jobs in a transaction, since other nodes must not see half of a change. */
    void change(StoreTransactions.Change change) throws Exception {
        transactions.make(change);
    }

    /**
     * Runs a task of which the store of jobs must not miss anything, on this thread: again and again until it succeeds, as Quartz does it
     * with the end of a job. A thread that was interrupted before makes one attempt: a scheduler that is being shut down interrupts its
     * thread and waits for it. The interrupt is put off, since a pool of connections does not wait on an interrupted thread.
     *
     * @param goesOn whether it is still worth another attempt
     * @return whether it was done, and not given up since the thread was interrupted, the scheduler closed, or it was not worth it any more
     */
    boolean insist(String what, Task task, BooleanSupplier goesOn) {
        boolean interrupted = Thread.interrupted();
        try {
            for (int failures = 0; !isDone(what, task, failures); failures++) {
                if (interrupted || isOver() || !goesOn.getAsBoolean()) {
                    return false;
                }
                Thread.sleep(PAUSE.toMillis());
            }
            return true;
        } catch (InterruptedException end) {
            interrupted = true;
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isDone(String what, Task task, int failures) {
        try {
            task.run();
            return true;
        } catch (Exception | LinkageError failure) {
            if (failures == 0 && !isOver()) {
                log.error("The scheduler '{}' could not {}. It is tried again every second", name, what, failure);
            } else {
                log.debug("The scheduler '{}' could not {}", name, what, failure);
            }
            return false;
        }
    }

    /** Runs a task that may block, on the worker thread, after that time. */
    void laterBy(Duration delay, String what, Task task) {
        Executor when = delay.isZero()
                ? worker
                : CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, worker);
        try {
            when.execute(() -> run(what, task));
        } catch (RejectedExecutionException closed) {
            log.debug("The scheduler '{}' is closed and does not {}", name, what);
        }
    }

    private void run(String what, Task task) {
        try {
            task.run();
        } catch (Exception | LinkageError failure) {
            if (isOver()) {
                log.debug("The scheduler '{}' ended before it could {}", name, what, failure);
            } else {
                log.error("The scheduler '{}' could not {}", name, what, failure);
            }
        }
    }

    void close() {
        worker.shutdown();
    }

    private boolean isOver() {
        try {
            return worker.isShutdown() || scheduler.isShutdown();
        } catch (SchedulerException unknown) {
            return false;
        }
    }

    /** A task that may fail as schedulers do. */
    interface Task {
        void run() throws Exception;
    }

    /**
     * How a scheduler is kept from running jobs where they must not run.
     *
     * @param standby the election that it follows, put on standby while its node does not lead; {@code null} if single firings
     *     are vetoed
     * @param shared whether all nodes have one job store, which then knows what is to be fired
     * @param confirmed whether a job begins only when the store has confirmed that its slot is claimed
     */
    record Way(@Nullable String standby, boolean shared, boolean confirmed) {}
}
