package dev.election.jobs.ledger;

import dev.election.StoreProblem;
import dev.election.jobs.ledger.LedgerProblem.Effect;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.support.SharedProblem;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Problems of the ledgers of the elections that this node leads. Several elections often have the same one: it is logged once, with the
 * action, for the first of them, and once when it is over for the last.
 */
final class LedgerProblems {

    private static final Logger log = LoggerFactory.getLogger(LedgerProblems.class);

    private static final String OTHERS = ". Other elections with this problem are not logged";

    /**
     * Failures in a row before a problem is reported, which take 7.5 s. A short outage needs no report: if it lasts, the leadership is
     * lost. A leader that has been replaced learns of its successor by its next renewal.
     */
    private static final int PATIENCE = 5;

    private final InstantSource clock;

    /** Written under the lock of this. */
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** Each kind of problem, for the log. Guarded by this. */
    private final Map<Kind, SharedProblem> logged = new HashMap<>();

    /** Elections of which a job waits for its record, or did not run for lack of it, until everything is recorded. Guarded by this. */
    private final Set<String> waiting = new HashSet<>();

    LedgerProblems(InstantSource clock) {
        this.clock = clock;
    }

    Optional<LedgerProblem> of(String election) {
        return Optional.ofNullable(known.get(election)).map(Known::problem);
    }

    /** Drops the problem of an election that this node leads no more. The loss itself is logged elsewhere. */
    synchronized void lost(String election) {
        waiting.remove(election);
        Known before = known.remove(election);
        if (before != null
                && end(election, before.kind, false).isEmpty()
                && !logged(before.kind).isPresent()) {
            log.info(
                    "This node no longer leads the election '{}', whose ledger could not be {} ({}){}",
                    election,
                    before.kind.isRead() ? "read" : "written",
                    before.kind.problem,
                    before.kind.only == null ? ". No other election that it leads has this problem" : "");
        }
    }

    /** Whether the store has refused, and will refuse until somebody acts on it; a failover ends by itself. */
    static boolean isRefusal(NoAnswer failure) {
        return switch (failure.problem()) {
            case UNREACHABLE, TIMED_OUT, LOADING, CLUSTER_DOWN, READ_ONLY, TOO_FEW_REPLICAS -> false;
            default -> true;
        };
    }

    private void add(String election, Kind kind, String action, String detail) {
        Known before = known.get(election);
        if (before != null && before.kind.effect.compareTo(kind.effect) <= 0) {
            return;
        }
        Instant since = before == null ? clock.instant() : before.problem.since();
        known.put(election, new Known(new LedgerProblem(kind.effect, kind.problem, action, detail, since), kind));
        if (before != null) {
            end(election, before.kind, false);
        }
        if (logged(kind).begins(election)) {
            log(election, kind, action, detail);
        } else {
            log.debug("The election '{}' has the same problem: {} ({}: {})", election, action, kind.problem, detail);
        }
    }

    private SharedProblem logged(Kind kind) {
        return logged.computeIfAbsent(kind, first -> new SharedProblem());
    }

    private static void log(String election, Kind kind, String action, String detail) {
        String others = kind.only == null ? OTHERS : "";
        switch (kind.effect) {
            case NO_JOB_RUNS ->
                log.error(
                        "Scheduled jobs of the election '{}' do not run: the leader can't read the ledger, which says what was run before"
                                + " ({}, {}). Action: {}{}",
                        election,
                        kind.problem,
                        detail,
                        action,
                        others);
            case RECORDED_JOBS_WAIT ->
                log.error(
                        "Jobs of the election '{}' that wait until their slots are recorded (recoverWithin, atLeastFor, confirm-claims) do not run: the"
                                + " leader can't write to the ledger ({}, {}). Action: {}{}",
                        election,
                        kind.problem,
                        detail,
                        action,
                        others);
            case SLOTS_MAY_RUN_AGAIN ->
                log.warn(
                        "The leader of the election '{}' can't record which slots of scheduled jobs it has run, since it can't write to the ledger; the"
                                + " next leader may run them again ({}, {}). Action: {}{}",
                        election,
                        kind.problem,
                        detail,
                        action,
                        others);
        }
    }

    /** Ends the problem of an election, and logs it for the last one. Returns those for which it was solved then. */
    private List<String> end(String election, Kind kind, boolean isSolved) {
        List<String> solved = logged(kind).ends(election, isSolved);
        if (!solved.isEmpty()) {
            log.info(
                    "The {} can be {} again{}",
                    solved.size() == 1
                            ? "ledger of the election '" + solved.get(0) + "'"
                            : "ledgers of " + solved.size() + " elections",
                    kind.isRead() ? "read" : "written",
                    kind.effect == Effect.SLOTS_MAY_RUN_AGAIN ? "" : ": the jobs that waited for that run");
        }
        return solved;
    }

    /** Watches the ledger of a leadership. */
    LedgerWatcher of(OwnLeadership leadership) {
        return new Watcher(leadership);
    }

    /**
     * Watcher of the ledger of a leadership. It reports no problem when that has ended: {@link #lost} may have been called, and is not called again.
     */
    private final class Watcher implements LedgerWatcher {

        private final OwnLeadership leadership;
        private final String election;

        private Watcher(OwnLeadership leadership) {
            this.leadership = leadership;
            this.election = leadership.election();
        }

        /** Nothing of an earlier leadership is left to be written then. */
        @Override
        public void opened(LedgerStore.Opened found) {
            solve(effect -> true);
        }

        @Override
        public void openFailed(LedgerStore.OpenReply reply, int failures) {
            report(() -> {
                if (reply instanceof NoAnswer failure) {
                    failed(Effect.NO_JOB_RUNS, failure, failures);
                } else if (failures >= PATIENCE) {
                    // If that lasts, no leader has the newer token: it would have ended this leadership.
                    add(
                            election,
                            new Kind(Effect.NO_JOB_RUNS, StoreProblem.UNKNOWN, election),
                            "the store has lost the highest token of the election but not its ledger, or somebody has changed one of the two: delete the"
                                    + " ledger of the election in the store (over Redis the key that ends in :log)",
                            "it was opened under a newer token than that of the leader");
                }
            });
        }

        @Override
        public void written() {
            solve(effect -> effect != Effect.NO_JOB_RUNS);
        }

        @Override
        public void writeFailed(NoAnswer failure, int failures) {
            report(() -> failed(
                    waiting.contains(election) ? Effect.RECORDED_JOBS_WAIT : Effect.SLOTS_MAY_RUN_AGAIN,
                    failure,
                    failures));
        }

        @Override
        public void jobWaits() {
            report(() -> waiting.add(election));
        }

        @Override
        public void jobDoesNotRun() {
            report(() -> {
                waiting.add(election);
                of(election)
                        .ifPresent(before -> add(
                                election,
                                Kind.of(election, Effect.RECORDED_JOBS_WAIT, before.problem()),
                                before.action(),
                                before.detail()));
            });
        }

        private void report(Runnable problem) {
            synchronized (LedgerProblems.this) {
                if (leadership.isLeading().getAsBoolean()) {
                    problem.run();
                }
            }
        }

        private void failed(Effect effect, NoAnswer failure, int failures) {
            if (isRefusal(failure) || failures >= PATIENCE) {
                add(election, Kind.of(election, effect, failure.problem()), failure.action(), failure.detail());
            }
        }

        private void solve(Predicate<Effect> isSolved) {
            synchronized (LedgerProblems.this) {
                waiting.remove(election);
                Known before = known.get(election);
                if (before != null && isSolved.test(before.kind.effect)) {
                    known.remove(election);
                    end(election, before.kind, true);
                }
            }
        }
    }

    private record Known(LedgerProblem problem, Kind kind) {}

    /**
     * A kind of problem, which is logged once for all elections.
     *
     * @param effect the effect on jobs
     * @param problem what kind of failure
     * @param only the one election that has it, where the action names a key of that election; {@code null} if others can have it, too
     */
    private record Kind(Effect effect, StoreProblem problem, @Nullable String only) {

        /** Whether the ledger can't be read; otherwise it can't be written. */
        boolean isRead() {
            return effect == Effect.NO_JOB_RUNS;
        }

        static Kind of(String election, Effect effect, StoreProblem problem) {
            return new Kind(effect, problem, problem == StoreProblem.WRONG_TYPE ? election : null);
        }
    }
}
