package dev.election.spring.scheduling;

import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.jobs.JobRun;
import dev.election.jobs.history.JobHistory;
import dev.election.jobs.history.JobRecords;
import dev.election.jobs.ledger.SharedLedgers;
import dev.election.jobs.requests.JobRequests;
import dev.election.spring.calls.CallObserver;
import dev.election.spring.guard.GuardReader;
import dev.election.spring.guard.LeaderGuardPostProcessor;
import dev.election.spring.internal.slot.CronSchedule;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;
import org.springframework.scheduling.config.CronTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

/** A node with a bean whose methods are jobs. Time, leadership and the answers of the store are in the hand of the test. */
final class JobNode {

    final HandDrivenElections elections = new HandDrivenElections();
    final HandDrivenScheduler scheduler;
    final List<String> observed = new ArrayList<>();

    /** The jobs that an observer was told of. */
    final List<String> added = new ArrayList<>();

    /** Observes the calls of the methods. */
    CallObserver calls = CallObserver.NONE;

    /** Those that have ended. */
    final List<JobRun> runs = new CopyOnWriteArrayList<>();

    private final AtomicBoolean cut = new AtomicBoolean();
    private final Connection connection;
    private final SharedLedgers ledgers;
    private Consumer<JobRun> listener = runs::add;
    private final JobHistory history;
    /** Serves requests to run a job by hand. */
    final JobRequests requests = new JobRequests(() -> elections, () -> null);

    private final ScheduledJobs jobs;
    private final LeaderGuardPostProcessor guards;
    private final ScheduledTaskRegistrar registrar = new ScheduledTaskRegistrar();
    private final Map<String, Object> beans = new java.util.HashMap<>();

    /**
     * @param ledger shared by all nodes
     * @param now by the clock of this node
     * @param bean whose methods are guarded and scheduled
     */
    JobNode(LedgerStore ledger, Instant now, Object bean) {
        this(ledger, now);
        add("jobs", bean);
        start();
    }

    /** With jobs that are added later. */
    JobNode(LedgerStore ledger, Instant now) {
        scheduler = new HandDrivenScheduler(now);
        connection = new Connection(ledger, cut);
        ledgers = new SharedLedgers(
                () -> elections,
                need -> connection,
                () -> scheduler.now(),
                () -> scheduler.now().toEpochMilli() * 1_000_000);
        history = new JobHistory(
                () -> elections, () -> connection, 20, () -> scheduler.now(), run -> listener.accept(run));
        // Each run is written at once.
        history.end();
        jobs = new ScheduledJobs(
                new JobRecords(ledgers, history),
                requests,
                new ScheduledMethods(true, text -> text),
                beans::get,
                Observed::new,
                () -> scheduler.now().toEpochMilli() * 1_000_000);
        guards = new LeaderGuardPostProcessor(
                () -> new GuardReader(text -> text, () -> elections), type -> false, () -> calls, () -> jobs);
        elections.get("default");
    }

    void start() {
        registrar.setTaskScheduler(scheduler);
        new SlotSchedulingConfigurer(jobs, null).configureTasks(registrar);
        registrar.afterPropertiesSet();
        jobs.afterSingletonsInstantiated();
        ledgers.hearWhoLeads();
    }

    /** A bean is created, as Spring does. */
    void add(String name, Object bean) {
        Object proxy = guards.postProcessAfterInitialization(bean, name);
        beans.put(name, proxy);
        for (Method method : bean.getClass().getDeclaredMethods()) {
            for (Scheduled found :
                    AnnotatedElementUtils.getMergedRepeatableAnnotations(method, Scheduled.class, Schedules.class)) {
                if (!CronSchedule.isCron(found.cron())) {
                    continue;
                }
                registrar.scheduleCronTask(new CronTask(
                        new ScheduledMethodRunnable(proxy, method),
                        CronSchedule.of("any", found.cron(), found.zone()).trigger()));
            }
        }
    }

    Object bean(String name) {
        return java.util.Objects.requireNonNull(beans.get(name));
    }

    Set<String> jobNames() {
        return jobs.names();
    }

    /** Whether all missed slots of its present leadership have been run. */
    boolean isOpen() {
        return jobs.isOpen();
    }

    void listenToRuns(Consumer<JobRun> other) {
        listener = other;
    }

    /** The runs of all nodes, the latest first. */
    List<JobRun> runsOfAll() {
        return askForRuns().toCompletableFuture().join();
    }

    CompletionStage<List<JobRun>> askForRuns() {
        return history.of("default");
    }

    void close() {
        jobs.destroy();
        ledgers.close();
    }

    HandDrivenElection election() {
        return elections.get("default");
    }

    void lead(long token) {
        election().lead(token);
        scheduler.advance(Duration.ZERO);
    }

    /** Nothing that this node writes arrives any more, and it does nothing more. */
    void kill() {
        cut.set(true);
    }

    /** The next write takes so long to the store, and its answer so long back. */
    void slow(Duration there, Duration back) {
        connection.there = () -> scheduler.advance(there);
        connection.back = () -> scheduler.advance(back);
    }

    /** What happens while a claim is on its way to the store. */
    void onClaim(Runnable meanwhile) {
        connection.onClaim = meanwhile;
    }

    /** The node ends while its next claim is on its way to the store. */
    void dieOverNextClaim() {
        connection.diesOverClaim = true;
    }

    /** That claim reaches the store. */
    LedgerStore.WriteReply arriveClaim() {
        return java.util.Objects.requireNonNull(connection.underWay)
                .get()
                .toCompletableFuture()
                .join();
    }

    /** The store does not answer this node, or it does again. */
    void cutOff(boolean cut) {
        this.cut.set(cut);
    }

    /** What answers a request to change a ledger. */
    private static final class Connection implements LedgerStore {

        private final LedgerStore ledger;
        private final AtomicBoolean cut;
        private boolean diesOverClaim;
        private Runnable onClaim = () -> {};
        private Runnable there = () -> {};
        private Runnable back = () -> {};
        private @Nullable Supplier<CompletionStage<WriteReply>> underWay;

        private Connection(LedgerStore ledger, AtomicBoolean cut) {
            this.ledger = ledger;
            this.cut = cut;
        }

        @Override
        public CompletionStage<OpenReply> open(String election, FencingToken token) {
            return cut.get() ? CompletableFuture.completedFuture(noAnswer()) : ledger.open(election, token);
        }

        @Override
        public CompletionStage<ReadReply> read(String election) {
            return cut.get() ? CompletableFuture.completedFuture(noAnswer()) : ledger.read(election);
        }

        @Override
        public LedgerStore beside(String name) {
            return new Connection(ledger.beside(name), cut);
        }

        @Override
        public CompletionStage<WriteReply> write(String election, FencingToken token, Change change) {
            if (change.put().keySet().stream().anyMatch(name -> name.contains("/claimed/"))) {
                onClaim.run();
                if (diesOverClaim) {
                    diesOverClaim = false;
                    cut.set(true);
                    underWay = () -> ledger.write(election, token, change);
                }
            }
            if (cut.get()) {
                return CompletableFuture.completedFuture(noAnswer());
            }
            Runnable onWayThere = there;
            Runnable onWayBack = back;
            there = () -> {};
            back = () -> {};
            onWayThere.run();
            CompletionStage<WriteReply> reply = ledger.write(election, token, change);
            onWayBack.run();
            return reply;
        }

        @Override
        public CompletionStage<WriteReply> restore(
                String election, FencingToken token, Change change, Instant intactSince) {
            return cut.get()
                    ? CompletableFuture.completedFuture(noAnswer())
                    : ledger.restore(election, token, change, intactSince);
        }

        @Override
        public LeaseStore.Subscription listen(String election, Runnable reconnected) {
            return ledger.listen(election, reconnected);
        }

        private static NoAnswer noAnswer() {
            return new NoAnswer(StoreProblem.UNREACHABLE, "as the test wants it");
        }
    }

    private final class Observed implements JobObserver {

        @Override
        public void added(String election, String job) {
            added.add(election + " " + job);
        }

        @Override
        public void recovered(String election, String job) {
            observed.add("recovered " + job);
        }

        @Override
        public void lost(String election, String job, int slots) {
            observed.add("lost " + slots + " of " + job);
        }

        @Override
        public void interrupted(String election, String job) {
            observed.add("interrupted " + job);
        }
    }
}
