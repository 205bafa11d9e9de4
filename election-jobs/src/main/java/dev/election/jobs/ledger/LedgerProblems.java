package dev.election.jobs.ledger;

import dev.election.StoreProblem;
import dev.election.jobs.ledger.LedgerProblem.Effect;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
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

    /** The elections that have had each kind of problem since it was logged, and that this node still leads. Guarded by this. */
    private final Map<Kind, Set<String>> concerned = new HashMap<>();

    /** Elections of which a job waits for its record, or did not run for lack of it, until everything is recorded. */
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();

    LedgerProblems(InstantSource clock) {
        this.clock = clock;
    }

    Optional<LedgerProblem> of(String election) {
        return Optional.ofNullable(known.get(election)).map(Known::problem);
    }

    /** Notes that a leader could not read what earlier ones have run, with the number of failures in a row. */
    synchronized void openFailed(String election, NoAnswer failure, int failures) {
        if (isRefusal(failure) || failures >= PATIENCE) {
            add(election, Effect.NO_JOB_RUNS, failure);
        }
    }

    /**
     * Notes that a leader has found a ledger under a newer token than its own. If that lasts, no leader has that token: it would have ended
     * this leadership.
     */
    synchronized void aheadOfLeader(String election, int failures) {
        if (failures >= PATIENCE) {
            add(
                    election,
                    new Kind(Effect.NO_JOB_RUNS, StoreProblem.UNKNOWN, election),
                    "the store has lost the highest token of the election but not its ledger, or somebody has changed one of the two: delete the"
                            + " ledger of the election in the store (over Redis the key that ends in :log)",
                    "it was opened under a newer token than that of the leader");
        }
    }

    /** Notes that a leader could not record what it has run, with the number of failures in a row. */
    synchronized void writeFailed(String election, NoAnswer failure, int failures) {
        if (isRefusal(failure) || failures >= PATIENCE) {
            Effect effect = waiting.contains(election) ? Effect.RECORDED_JOBS_WAIT : Effect.SLOTS_MAY_RUN_AGAIN;
            add(election, effect, failure);
        }
    }

    /** Notes that a job is about to wait until it is recorded. */
    synchronized void jobWaits(String election) {
        waiting.add(election);
    }

    /** Notes that a job does not run, since it could not be recorded before. */
    synchronized void jobDoesNotRun(String election) {
        waiting.add(election);
        Known present = known.get(election);
        if (present != null) {
            LedgerProblem before = present.problem;
            add(
                    election,
                    Kind.of(election, Effect.RECORDED_JOBS_WAIT, before.problem()),
                    before.action(),
                    before.detail());
        }
    }

    /** Ends the problem of an election whose ledger was opened: nothing of an earlier leadership is left to be written. */
    synchronized void opened(String election) {
        written(election);
        solved(election, effect -> effect == Effect.NO_JOB_RUNS);
    }

    /** Ends the problem of an election of which nothing is left to be written. */
    synchronized void written(String election) {
        waiting.remove(election);
        solved(election, effect -> effect != Effect.NO_JOB_RUNS);
    }

    /** Drops the problem of an election that this node leads no more. The loss itself is logged elsewhere. */
    synchronized void lost(String election) {
        waiting.remove(election);
        Known before = known.remove(election);
        if (before != null && withdraw(election, before.kind)) {
            log.info(
                    "This node no longer leads the election '{}', whose ledger could not be {} ({}){}",
                    election,
                    before.kind.isRead() ? "read" : "written",
                    before.kind.problem,
                    before.kind.only == null ? ". No other election that it leads has this problem" : "");
        }
    }

    /** Reports a problem of a leadership unless that has ended: {@link #lost} may have been called meanwhile, and is not called again. */
    synchronized void report(BooleanSupplier isLeading, Runnable problem) {
        if (isLeading.getAsBoolean()) {
            problem.run();
        }
    }

    /** Whether the store has refused, and will refuse until somebody acts on it; a failover ends by itself. */
    static boolean isRefusal(NoAnswer failure) {
        return switch (failure.problem()) {
            case UNREACHABLE, TIMED_OUT, LOADING, CLUSTER_DOWN, READ_ONLY, TOO_FEW_REPLICAS -> false;
            default -> true;
        };
    }

    private void add(String election, Effect effect, NoAnswer failure) {
        add(election, Kind.of(election, effect, failure.problem()), failure.action(), failure.detail());
    }

    private void add(String election, Kind kind, String action, String detail) {
        Known before = known.get(election);
        if (before != null && before.kind.effect.compareTo(kind.effect) <= 0) {
            return;
        }
        Instant since = before == null ? clock.instant() : before.problem.since();
        known.put(election, new Known(new LedgerProblem(kind.effect, kind.problem, action, detail, since), kind));
        if (before != null) {
            withdraw(election, before.kind);
        }
        Set<String> elections = concerned.computeIfAbsent(kind, first -> new HashSet<>());
        elections.add(election);
        if (elections.size() == 1) {
            log(election, kind, action, detail);
        } else {
            log.debug("The election '{}' has the same problem: {} ({}: {})", election, action, kind.problem, detail);
        }
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

    private void solved(String election, Predicate<Effect> solved) {
        Known before = known.get(election);
        if (before != null && solved.test(before.kind.effect)) {
            known.remove(election);
            endIfLast(before.kind);
        }
    }

    /**
     * Removes an election from those that have a problem, without taking it for solved. Returns whether no election has it now, and none
     * has solved it.
     */
    private boolean withdraw(String election, Kind kind) {
        Set<String> elections = concerned.get(kind);
        if (elections == null) {
            return false;
        }
        elections.remove(election);
        endIfLast(kind);
        return elections.isEmpty();
    }

    private void endIfLast(Kind kind) {
        if (known.values().stream().anyMatch(other -> other.kind.equals(kind))) {
            return;
        }
        Set<String> elections = concerned.remove(kind);
        if (elections == null || elections.isEmpty()) {
            return;
        }
        log.info(
                "The {} can be {} again{}",
                elections.size() == 1
                        ? "ledger of the election '" + elections.iterator().next() + "'"
                        : "ledgers of " + elections.size() + " elections",
                kind.isRead() ? "read" : "written",
                kind.effect == Effect.SLOTS_MAY_RUN_AGAIN ? "" : ": the jobs that waited for that run");
    }

    /** Watches the ledger of a leadership: reports nothing more when that has ended, since {@link #lost} is not called again. */
    LedgerWatcher of(OwnLeadership leadership) {
        return new LedgerWatcher() {

            private final String election = leadership.election();

            @Override
            public void opened(LedgerStore.Opened found) {
                LedgerProblems.this.opened(election);
            }

            @Override
            public void openFailed(LedgerStore.OpenReply reply, int failures) {
                report(leadership.isLeading(), () -> {
                    if (reply instanceof NoAnswer failure) {
                        LedgerProblems.this.openFailed(election, failure, failures);
                    } else {
                        aheadOfLeader(election, failures);
                    }
                });
            }

            @Override
            public void written() {
                LedgerProblems.this.written(election);
            }

            @Override
            public void writeFailed(NoAnswer failure, int failures) {
                report(leadership.isLeading(), () -> LedgerProblems.this.writeFailed(election, failure, failures));
            }

            @Override
            public void jobWaits() {
                report(leadership.isLeading(), () -> LedgerProblems.this.jobWaits(election));
            }

            @Override
            public void jobDoesNotRun() {
                report(leadership.isLeading(), () -> LedgerProblems.this.jobDoesNotRun(election));
            }
        };
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
