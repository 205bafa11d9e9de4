package dev.election.jobs.history;

import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.jobs.internal.Backoff;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the latest runs of the jobs of one election and writes them to the store. The changes of a second are one request, and no job waits
 * for it. Opened with the first run of a leadership.
 */
public final class RunLedger {

    private static final Logger log = LoggerFactory.getLogger(RunLedger.class);

    /** Runs that begin and end within that time are written at once. */
    private static final long TOGETHER_MILLIS = 1_000;

    /** Jobs that have not run for so long are forgotten, with all their runs. */
    private static final long FORGOTTEN_MILLIS = 90L * 24 * 60 * 60 * 1000;

    /**
     * Limit for the number of jobs, since some applications make a new job for each task. Those that have not run for the longest are
     * forgotten.
     */
    private static final int JOBS = 500;

    private final LedgerStore ledger;
    private final String election;
    private final Supplier<String> node;
    private final InstantSource clock;
    private final RunProblems problems;
    private final Backoff writing = new Backoff(TOGETHER_MILLIS);

    /** The runs that this leader knows, by job. Guarded by this, like the fields below. */
    private final Map<String, TreeSet<RecordedRun>> runs = new HashMap<>();

    /** Entries that the store does not have yet, by name. */
    private final Map<String, RecordedRun> unwritten = new TreeMap<>();

    /** The names of entries that the store has. */
    private final Set<String> stored = new HashSet<>();

    /** The names of entries that the store should not have any more. */
    private final Set<String> outdated = new HashSet<>();

    /** The latest leadership of this node. */
    private @Nullable FencingToken token;

    /** How many runs of a job are kept. */
    private int perJob;

    private State state = State.CLOSED;
    private boolean planned;
    private boolean asking;

    /** Whether to write pending entries as soon as possible. */
    private boolean urgent;

    private boolean closed;

    /**
     * @param ledger where to write
     * @param election the name of the election
     * @param node the name of this node, which each start of its elections may change
     * @param perJob how many runs of a job are kept
     * @param clock of this node
     * @param problems of all elections of this process
     */
    public RunLedger(
            LedgerStore ledger,
            String election,
            Supplier<String> node,
            int perJob,
            InstantSource clock,
            RunProblems problems) {
        this.ledger = ledger;
        this.election = election;
        this.node = node;
        this.perJob = perJob;
        this.clock = clock;
        this.problems = problems;
    }

    /** Adds or replaces a run of that leadership or an earlier one of this node. Returns at once. */
    public synchronized void put(FencingToken leadership, RecordedRun run) {
        if (token == null || leadership.isNewerThan(token)) {
            token = leadership;
            state = State.CLOSED;
        }
        unwritten.put(run.name(), run);
        add(run);
        plan();
    }

    /** Writes pending entries now. */
    public void flush() {
        synchronized (this) {
            urgent = true;
        }
        writing.now();
    }

    /** Writes nothing more. */
    synchronized void close() {
        closed = true;
    }

    /** The runs that the store does not have yet, or not in their present state. */
    public synchronized List<RecordedRun> unwritten() {
        return List.copyOf(unwritten.values());
    }

    private void plan() {
        if (!planned && !asking && !closed) {
            planned = true;
            writing.later(this::ask);
        }
    }

    private void ask() {
        FencingToken leadership;
        State present;
        synchronized (this) {
            planned = false;
            leadership = token;
            present = state;
            if (asking || closed || leadership == null) {
                return;
            }
            if (unwritten.isEmpty() && outdated.isEmpty()) {
                // A newer leader may have taken over what this one could not write.
                problems.recorded(election);
                return;
            }
            asking = true;
        }
        switch (present) {
            case CLOSED -> ledger.open(election, leadership).thenAccept(reply -> opened(leadership, reply));
            case OPEN -> write(leadership);
            case SUPERSEDED -> amend();
        }
    }

    private void opened(FencingToken leadership, LedgerStore.OpenReply reply) {
        if (reply instanceof LedgerStore.Opened found) {
            synchronized (this) {
                state = State.OPEN;
                merge(found);
            }
            write(leadership);
        } else if (reply instanceof NoAnswer failure) {
            failed(failure);
        } else {
            superseded(leadership);
        }
    }

    private void write(FencingToken leadership) {
        Map<String, String> put = new HashMap<>();
        Set<String> removed;
        Map<String, RecordedRun> sent;
        synchronized (this) {
            unwritten.forEach((name, run) -> put.put(name, run.value()));
            removed = Set.copyOf(outdated);
            sent = Map.copyOf(unwritten);
        }
        ledger.write(election, leadership, put, removed).thenAccept(reply -> {
            if (reply instanceof LedgerStore.Written) {
                written(sent, removed);
            } else if (reply instanceof NoAnswer failure) {
                failed(failure);
            } else if (reply instanceof LedgerStore.Forgotten) {
                forgotten();
            } else {
                superseded(leadership);
            }
        });
    }

    /** Adds runs that have outlasted their leadership to the records of whichever node leads now. */
    private void amend() {
        Map<String, RecordedRun> sent;
        synchronized (this) {
            sent = Map.copyOf(unwritten);
        }
        Map<String, String> put = new HashMap<>();
        sent.forEach((name, run) -> put.put(name, run.value()));
        ledger.amend(election, put).thenAccept(reply -> {
            if (reply instanceof NoAnswer failure) {
                failed(failure);
            } else {
                amended(sent);
            }
        });
    }

    /** Takes the runs as written, also if the store has lost the ledger: then there is nothing to amend. */
    private synchronized void amended(Map<String, RecordedRun> sent) {
        sent.forEach(unwritten::remove);
        writing.succeeded();
        problems.recorded(election);
        answered();
    }

    private void written(Map<String, RecordedRun> sent, Set<String> removed) {
        if (note(sent, removed)) {
            ask();
        }
    }

    /** Returns whether there is more that is to be written at once. */
    private synchronized boolean note(Map<String, RecordedRun> sent, Set<String> removed) {
        sent.forEach((name, run) -> {
            unwritten.remove(name, run);
            (isKept(run) ? stored : outdated).add(name);
        });
        outdated.removeAll(removed);
        writing.succeeded();
        problems.recorded(election);
        boolean more = urgent && !unwritten.isEmpty();
        urgent = more;
        answered();
        return more;
    }

    private synchronized void failed(NoAnswer failure) {
        if (failure.problem() == StoreProblem.TOO_LARGE && state == State.OPEN && perJob > 1) {
            keepFewer(failure);
        } else {
            problems.failed(election, failure);
        }
        answered();
    }

    /** Halves the number of runs that are kept. Records that nobody has asked for must not need a setting, however many jobs there are. */
    private void keepFewer(NoAnswer tooMany) {
        perJob /= 2;
        log.warn(
                "Only the latest {} runs of each job of '{}' are kept from here on: {} ({})",
                perJob,
                election,
                tooMany.action(),
                tooMany.detail());
        runs.values().forEach(this::forgetOldest);
    }

    /** Writes all runs again, since the store has lost them. */
    private synchronized void forgotten() {
        state = State.CLOSED;
        rewrite();
        answered();
    }

    /** Keeps the pending runs of this node alone, since another node leads and has the others; only this one knows how its own end. */
    private void superseded(FencingToken leadership) {
        String own = node.get();
        synchronized (this) {
            if (leadership.equals(token)) {
                state = State.SUPERSEDED;
                unwritten.values().removeIf(run -> !run.node().equals(own));
                outdated.clear();
                stored.clear();
                runs.clear();
            }
            asking = false;
        }
        ask();
    }

    private void answered() {
        asking = false;
        if (!unwritten.isEmpty() || !outdated.isEmpty()) {
            plan();
        }
    }

    /** Merges the entries of the store with the pending ones of this node, which are newer. */
    private void merge(LedgerStore.Opened found) {
        if (!found.known()) {
            rewrite();
            return;
        }
        runs.clear();
        stored.clear();
        unwritten.values().forEach(this::add);
        found.entries().forEach((name, value) -> {
            stored.add(name);
            RecordedRun run = RecordedRun.parse(name, value);
            if (run == null) {
                outdated.add(name);
            } else if (!unwritten.containsKey(name)) {
                add(run);
            }
        });
        forgetOldJobs(clock.millis());
    }

    /** Marks all runs as pending, since the store has none of them. */
    private void rewrite() {
        stored.clear();
        outdated.clear();
        runs.values().forEach(ofJob -> ofJob.forEach(run -> unwritten.put(run.name(), run)));
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
            if (ofJob.stream().allMatch(run -> run.started() < now - FORGOTTEN_MILLIS)) {
                ofJob.forEach(this::forget);
                all.remove();
            }
        }
    }

    private void forget(@Nullable RecordedRun run) {
        if (run != null) {
            unwritten.remove(run.name());
            if (stored.remove(run.name())) {
                outdated.add(run.name());
            }
        }
    }

    /** Whether entries can be written. */
    private enum State {
        /** The ledger was not opened yet. */
        CLOSED,
        /** Entries can be written, as far as is known. */
        OPEN,
        /** A newer leader has opened the ledger: runs of this node are added to its records. */
        SUPERSEDED
    }
}
