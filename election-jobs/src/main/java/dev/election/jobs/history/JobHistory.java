package dev.election.jobs.history;

import dev.election.Election;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.Role;
import dev.election.StoreUnavailableException;
import dev.election.jobs.JobRun;
import dev.election.jobs.JobRuns;
import dev.election.jobs.slots.SlotClaim;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.support.DaemonThreads;
import dev.election.support.LogLimit;
import dev.election.support.SharedProblem;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records the runs of the jobs of this node's leaderships beside the ledger, and reads those of all nodes. */
public final class JobHistory implements JobRuns, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(JobHistory.class);

    private static final Executor REPLIES = new DaemonThreads("election-job-runs").unlimited(Duration.ofSeconds(1));

    /** The name of the ledgers of runs, beside those of slots. */
    private static final String BOOKS = "runs";

    /** Limit for the length of a chain of causes, which may be circular. */
    private static final int CAUSES = 20;

    private final Supplier<Elections> elections;
    private final Supplier<LedgerStore> ledgers;
    private final int perJob;
    private final InstantSource clock;
    private final Consumer<JobRun> ended;
    private final SharedProblem unrecorded = new SharedProblem();
    private final LogLimit failures = LogLimit.once();
    private final AtomicLong count = new AtomicLong();
    private final Map<String, RunLedger> open = new ConcurrentHashMap<>();

    /** The runs of this node that have not ended. */
    private final Set<RecordedRun> running = ConcurrentHashMap.newKeySet();

    private volatile @Nullable LedgerStore found;
    private volatile boolean ending;

    /**
     * Creates the history, which uses the store from the first run on.
     *
     * @param elections asked for with the first run
     * @param ledgers the ledger store of the ledgers; asked for with the first run
     * @param perJob how many runs of each job are kept, zero for none
     * @param clock of this node
     * @param ended called for each run of this node that ends, on the thread that ends it; must return quickly and must not throw
     */
    public JobHistory(
            Supplier<Elections> elections,
            Supplier<LedgerStore> ledgers,
            int perJob,
            InstantSource clock,
            Consumer<JobRun> ended) {
        this.elections = elections;
        this.ledgers = ledgers;
        this.perJob = perJob;
        this.clock = clock;
        this.ended = ended;
    }

    /**
     * Records that a job begins on this node. Sends nothing on this thread.
     *
     * @param election that guards it
     * @param job its name
     * @param slot the scheduled time for which it runs, {@code null} if it has none or it is not recorded
     * @param token of the leadership under which it runs
     */
    public Run begin(String election, String job, @Nullable Instant slot, FencingToken token) {
        return begin(election, job, slot, token, null);
    }

    /**
     * Records that a job begins on this node, maybe by hand.
     *
     * @param requestedBy who asked for it, and why; {@code null} for a run that nobody asked for
     */
    public Run begin(
            String election, String job, @Nullable Instant slot, FencingToken token, @Nullable String requestedBy) {
        JobRun begun = new JobRun(
                election,
                job,
                Optional.ofNullable(slot).map(at -> at.truncatedTo(ChronoUnit.MILLIS)),
                node(),
                token,
                now(),
                Optional.empty(),
                JobRun.Outcome.RUNNING,
                Optional.empty(),
                Optional.ofNullable(requestedBy));
        RecordedRun run = new RecordedRun(begun, count.incrementAndGet());
        running.add(run);
        record(token, run);
        return new Run(run);
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    /** The name of this node. */
    public String node() {
        return elections.get().node();
    }

    /**
     * Records that a slot which an earlier leader has claimed is not run, since its job is not known to have begun. Sends nothing on this
     * thread.
     *
     * @param election that guards the job
     * @param job its name
     * @param slot the scheduled time
     * @param claim as that leader recorded it
     * @param token of the leadership of this node
     */
    public void notBegun(String election, String job, Instant slot, SlotClaim claim, FencingToken token) {
        JobRun claimed = new JobRun(
                election,
                job,
                Optional.of(slot),
                claim.node(),
                claim.token(),
                claim.at(),
                Optional.empty(),
                JobRun.Outcome.CLAIMED,
                Optional.empty(),
                Optional.empty());
        // No run has that number, and the next leader gives the same one if this one dies over it.
        record(token, new RecordedRun(claimed, slot.toEpochMilli()));
    }

    /** Writes each run at once from now on, since this node is about to end. */
    public void end() {
        ending = true;
        open.values().forEach(RunLedger::flush);
    }

    /** Writes nothing more. */
    @Override
    public void close() {
        open.values().forEach(RunLedger::close);
    }

    @Override
    public CompletionStage<List<JobRun>> of(String election) {
        if (perJob == 0) {
            return CompletableFuture.completedFuture(List.of());
        }
        // A run that is written meanwhile may be missing in what is read, and is no longer unwritten afterwards.
        List<RecordedRun> before = unwritten(election);
        // Who waits for it must not stop the thread of the store.
        return ledger().read(election)
                .thenApplyAsync(
                        reply -> {
                            if (reply instanceof NoAnswer failure) {
                                throw new StoreUnavailableException(
                                        failure.problem(), failure.detail(), failure.action());
                            }
                            Map<String, RecordedRun> known = new TreeMap<>();
                            add(known, before);
                            add(known, RecordedRun.all(election, ((LedgerStore.Contents) reply).entries()));
                            add(known, unwritten(election));
                            return runs(election, known);
                        },
                        REPLIES);
    }

    private List<RecordedRun> unwritten(String election) {
        RunLedger own = open.get(election);
        return own == null ? List.of() : own.unwritten();
    }

    private static void add(Map<String, RecordedRun> known, List<RecordedRun> runs) {
        runs.forEach(run -> known.merge(run.name(), run, RecordedRun::latest));
    }

    private List<JobRun> runs(String election, Map<String, RecordedRun> known) {
        FencingToken leader = elections
                .get()
                .find(election)
                .flatMap(Election::leader)
                .map(Leader::token)
                .orElse(null);
        return known.values().stream()
                .sorted(Comparator.reverseOrder())
                .map(run -> run.seen(run.state().token().equals(leader) || running.contains(run)))
                .toList();
    }

    private void record(FencingToken token, RecordedRun run) {
        String election = run.state().election();
        if (perJob == 0) {
            return;
        }
        RunLedger own;
        try {
            own = open.computeIfAbsent(election, this::open);
        } catch (RuntimeException | LinkageError defect) {
            if (failures.begins(this)) {
                log.error(
                        "The runs of the jobs of '{}' can't be recorded, so the endpoint and JobRuns do not show them. The jobs still run",
                        election,
                        defect);
            }
            return;
        }
        own.put(token, run);
        if (ending || (run.state().endedAt().isPresent() && isResigning(election))) {
            own.flush();
        }
    }

    private RunLedger open(String election) {
        elections.get().find(election).ifPresent(led -> led.addListener(new Resigning()));
        return new RunLedger(ledger(), election, this::node, perJob, clock, unrecorded);
    }

    private boolean isResigning(String election) {
        return elections
                .get()
                .find(election)
                .map(Election::role)
                .filter(role -> role != Role.LEADER)
                .isPresent();
    }

    private LedgerStore ledger() {
        LedgerStore known = found;
        if (known == null) {
            known = ledgers.get().beside(BOOKS);
            found = known;
        }
        return known;
    }

    private static JobRun.Outcome outcomeOf(@Nullable Throwable failure) {
        if (failure == null) {
            return JobRun.Outcome.DONE;
        }
        Throwable cause = failure;
        for (int i = 0; i < CAUSES && cause != null; i++) {
            if (cause instanceof InterruptedException || cause instanceof CancellationException) {
                return JobRun.Outcome.INTERRUPTED;
            }
            cause = cause.getCause();
        }
        return JobRun.Outcome.FAILED;
    }

    /** Writes pending runs when a leader resigns: its successor reads only what was written before the election. */
    private final class Resigning implements LeadershipListener {

        @Override
        public void onResigning(LeadershipEvent.Resigning event) {
            RunLedger own = open.get(event.election());
            if (own != null) {
                own.flush();
            }
        }
    }

    /** A run of this node. */
    public final class Run {

        private final RecordedRun begun;

        private Run(RecordedRun begun) {
            this.begun = begun;
        }

        /**
         * Ends the run. A second call has no effect.
         *
         * @param failure the exception with which it ended, {@code null} if there is none
         */
        public void end(@Nullable Throwable failure) {
            if (!running.remove(begun)) {
                return;
            }
            RecordedRun run = begun.endedAt(
                    now(),
                    outcomeOf(failure),
                    failure == null ? null : failure.getClass().getName());
            record(begun.state().token(), run);
            try {
                ended.accept(run.seen(true));
            } catch (RuntimeException | LinkageError defect) {
                log.error("A JobRunListener failed at the end of a run of the job '{}'", run.job(), defect);
            }
        }
    }
}
