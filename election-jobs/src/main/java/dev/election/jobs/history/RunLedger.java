package dev.election.jobs.history;

import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.jobs.ledger.Ledger;
import dev.election.jobs.ledger.LedgerWatcher;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.support.SharedProblem;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the latest runs of the jobs of one election in a ledger of their own. The changes of a second are one request, and no job waits
 * for it. The ledger is opened with the first run of a leadership.
 */
final class RunLedger implements LedgerWatcher {

    private static final Logger log = LoggerFactory.getLogger(RunLedger.class);

    /** Jobs that have not run for so long are forgotten, with all their runs. */
    private static final long FORGOTTEN_MILLIS = 90L * 24 * 60 * 60 * 1000;

    /**
     * Limit for the number of jobs, since some applications make a new job for each task. Those that have not run for the longest are
     * forgotten.
     */
    private static final int JOBS = 500;

    private final LedgerStore store;
    private final String election;
    private final Supplier<String> node;
    private final InstantSource clock;
    private final SharedProblem unrecorded;

    /** The runs that this leader knows, by job. Guarded by this, like the fields below. */
    private final Map<String, TreeSet<RecordedRun>> runs = new HashMap<>();

    /** The names of entries to remove from the store. */
    private final Set<String> outdated = new HashSet<>();

    /** The ledger of the latest leadership of this node. */
    private @Nullable Ledger ledger;

    /** How many runs of a job are kept. */
    private int perJob;

    /**
     * @param store where to write
     * @param election the name of the election
     * @param node the name of this node, which each start of its elections may change
     * @param perJob how many runs of a job are kept
     * @param clock of this node
     * @param unrecorded the problem of all elections of this process whose runs can't be recorded
     */
    RunLedger(
            LedgerStore store,
            String election,
            Supplier<String> node,
            int perJob,
            InstantSource clock,
            SharedProblem unrecorded) {
        this.store = store;
        this.election = election;
        this.node = node;
        this.perJob = perJob;
        this.clock = clock;
        this.unrecorded = unrecorded;
    }

    /** Adds or replaces a run of that leadership or an earlier one of this node. Returns at once. */
    synchronized void put(FencingToken leadership, RecordedRun run) {
        Ledger own = ledgerOf(leadership);
        add(run);
        write(own, List.of(run));
    }

    /** Writes pending entries now. */
    void flush() {
        Ledger own = ledger();
        if (own != null) {
            own.flush();
        }
    }

    /** Writes nothing more. */
    void close() {
        Ledger own = ledger();
        if (own != null) {
            own.close();
        }
    }

    /** The runs that the store does not have yet, or not in their present state. */
    List<RecordedRun> unwritten() {
        Ledger own = ledger();
        return own == null ? List.of() : RecordedRun.all(election, own.unconfirmed());
    }

    private synchronized @Nullable Ledger ledger() {
        return ledger;
    }

    private Ledger ledgerOf(FencingToken leadership) {
        Ledger known = ledger;
        if (known != null && !leadership.isNewerThan(known.token())) {
            return known;
        }
        Ledger next = Ledger.ofRuns(store, election, leadership, this);
        ledger = next;
        if (known != null) {
            next.writeLater(known.unconfirmed(), Set.of());
            known.close();
        }
        CompletionStage<LedgerStore.Opened> unused = next.open();
        return next;
    }

    /** Merges the entries of the store with the pending ones of this node, which are newer. */
    @Override
    public synchronized void opened(LedgerStore.Opened found) {
        List<RecordedRun> lost = new ArrayList<>();
        if (found.known()) {
            List<RecordedRun> pending = unwritten();
            runs.clear();
            pending.forEach(this::add);
            found.entries().forEach((name, value) -> {
                RecordedRun run = RecordedRun.parse(election, name, value);
                if (run == null) {
                    outdated.add(name);
                } else if (!isKept(run)) {
                    add(run);
                }
            });
            forgetOldJobs(clock.millis());
        } else {
            // The store has none of them.
            runs.values().forEach(lost::addAll);
        }
        write(Objects.requireNonNull(ledger), lost);
    }

    @Override
    public void openFailed(LedgerStore.OpenReply reply, int failures) {
        if (reply instanceof NoAnswer failure) {
            failed(failure);
        }
    }

    @Override
    public void written() {
        synchronized (unrecorded) {
            if (!unrecorded.ends(election, true).isEmpty()) {
                log.info("The runs of all jobs are recorded again");
            }
        }
    }

    /** Keeps fewer runs if they are too many. Records that nobody has asked for must not need a setting, however many jobs there are. */
    @Override
    public void writeFailed(NoAnswer failure, int failures) {
        Ledger own = Objects.requireNonNull(ledger());
        // In the ledger of a newer leader this one can't make room.
        if (failure.problem() == StoreProblem.TOO_LARGE && !own.isSuperseded() && keepsFewer(failure)) {
            write(own, List.of());
        } else {
            failed(failure);
        }
    }

    private void failed(NoAnswer failure) {
        synchronized (unrecorded) {
            if (unrecorded.begins(election)) {
                log.info(
                        "The runs of the jobs of the election '{}' can't be recorded now: {} ({}: {}). No job waits for that, and the runs are"
                                + " recorded later. Other elections are not logged",
                        election,
                        failure.action(),
                        failure.problem(),
                        failure.detail());
            }
        }
    }

    private synchronized boolean keepsFewer(NoAnswer tooMany) {
        if (perJob == 1) {
            return false;
        }
        perJob /= 2;
        log.warn(
                "Only the latest {} runs of each job of '{}' are kept from here on: {} ({})",
                perJob,
                election,
                tooMany.action(),
                tooMany.detail());
        runs.values().forEach(this::forgetOldest);
        return true;
    }

    /** Only this node knows how its own runs end, whoever leads by then. */
    @Override
    public boolean outlasts(String name, String value) {
        RecordedRun run = RecordedRun.parse(election, name, value);
        return run != null && run.state().node().equals(node.get());
    }

    /** Writes runs and removes those that are forgotten. */
    private synchronized void write(Ledger own, List<RecordedRun> changed) {
        Map<String, String> put = new HashMap<>();
        changed.stream().filter(this::isKept).forEach(run -> put.put(run.name(), run.value()));
        own.writeLater(put, outdated);
        outdated.clear();
    }

    private boolean isKept(RecordedRun run) {
        TreeSet<RecordedRun> ofJob = runs.get(run.job());
        return ofJob != null && ofJob.contains(run);
    }

    private void add(RecordedRun run) {
        TreeSet<RecordedRun> ofJob = runs.computeIfAbsent(run.job(), job -> new TreeSet<>());
        if (runs.size() > JOBS) {
            forgetOldestJobBut(run.job());
        }
        // By its order an earlier state of the same run is the same.
        ofJob.remove(run);
        ofJob.add(run);
        forgetOldest(ofJob);
    }

    private void forgetOldest(NavigableSet<RecordedRun> ofJob) {
        while (ofJob.size() > perJob) {
            forget(ofJob.pollFirst());
        }
    }

    private void forgetOldestJobBut(String job) {
        String oldest = runs.entrySet().stream()
                .filter(known -> !known.getKey().equals(job))
                .min(Comparator.comparing(known -> known.getValue().last()))
                .map(Map.Entry::getKey)
                .orElseThrow();
        Set<RecordedRun> forgotten = runs.remove(oldest);
        if (forgotten != null) {
            forgotten.forEach(this::forget);
        }
    }

    private void forgetOldJobs(long now) {
        Iterator<TreeSet<RecordedRun>> all = runs.values().iterator();
        while (all.hasNext()) {
            Collection<RecordedRun> ofJob = all.next();
            if (ofJob.stream().allMatch(run -> run.state().startedAt().toEpochMilli() < now - FORGOTTEN_MILLIS)) {
                ofJob.forEach(this::forget);
                all.remove();
            }
        }
    }

    private void forget(@Nullable RecordedRun run) {
        if (run != null) {
            outdated.add(run.name());
        }
    }
}
