package dev.election.quartz.internal.scheduler;

import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.jobs.engine.SlotEngine;
import dev.election.jobs.history.JobRecords;
import dev.election.quartz.internal.rules.SchedulerGuard;
import dev.election.quartz.internal.trigger.LedgerNames;
import dev.election.support.DaemonThreads;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A scheduler with its running jobs, its part of the ledgers, and a worker thread. */
public final class GuardedScheduler {

    private static final Logger log = LoggerFactory.getLogger(GuardedScheduler.class);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Scheduler scheduler;
    private final String name;
    private final SchedulerGuard guard;
    private final Supplier<Elections> elections;
    private final SlotEngine engine;
    private final Vetoed vetoed;
    private final StoreTransactions transactions;
    private final InstantSource clock;
    private final FiringsUnderWay underWay = new FiringsUnderWay();
    private final Set<RunningJob> running = ConcurrentHashMap.newKeySet();

    /** Runs tasks that may block, such as on a store of jobs in a database. */
    private final ThreadPoolExecutor worker;

    public GuardedScheduler(
            Scheduler scheduler,
            SchedulerGuard guard,
            Supplier<Elections> elections,
            JobRecords records,
            StoreTransactions transactions,
            InstantSource clock)
            throws SchedulerException {
        this.scheduler = scheduler;
        this.name = scheduler.getSchedulerName();
        this.guard = guard;
        this.elections = elections;
        this.engine = new SlotEngine(LedgerNames.scheduler(name), records, guard::recoverWithin, System::nanoTime);
        this.transactions = transactions;
        this.clock = clock;
        this.vetoed = new Vetoed(guard.recoverWithin().toMillis());
        this.worker = new DaemonThreads("election-quartz-" + name).pool(1, Duration.ofSeconds(5));
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    public String name() {
        return name;
    }

    public SchedulerGuard guard() {
        return guard;
    }

    /** The clock of this node, by which the scheduler fires. */
    public InstantSource clock() {
        return clock;
    }

    public Elections elections() {
        return elections.get();
    }

    public FiringsUnderWay underWay() {
        return underWay;
    }

    /** How long a slot of this scheduler is worth being fired late. */
    public Duration recoverWithin() {
        return guard.recoverWithin();
    }

    public Vetoed vetoed() {
        return vetoed;
    }

    /** Claims the slots of its jobs. */
    public SlotEngine engine() {
        return engine;
    }

    /** Text for logs: when a trigger that is scheduled for now is fired. */
    public String whenFired() throws SchedulerException {
        return scheduler.isInStandbyMode() ? "as soon as the scheduler '" + name + "' is started" : "at once";
    }

    public void began(RunningJob job) {
        running.add(job);
        if (!job.isCurrent()) {
            // The loss may have been notified just before.
            job.lost(scheduler);
        }
    }

    public void ended(RunningJob job) {
        running.remove(job);
        job.end();
    }

    /** Notifies the jobs that run under a leadership of its loss. */
    public void lost(String election, FencingToken token) {
        running.stream()
                .filter(job ->
                        job.guard().election().equals(election) && job.token().equals(token))
                .forEach(job -> job.lost(scheduler));
    }

    /** Runs a task that may block, on the worker thread, in the order of the calls. */
    public void later(String what, Task task) {
        laterBy(Duration.ZERO, what, task);
    }

    /** Changes the store of jobs in a transaction, since other nodes must not see half of a change. */
    public void change(StoreTransactions.Change change) throws Exception {
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
    public boolean insist(String what, Task task, BooleanSupplier goesOn) {
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
    public void laterBy(Duration delay, String what, Task task) {
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

    public void close() {
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
    public interface Task {
        void run() throws Exception;
    }
}
