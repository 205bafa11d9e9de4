package dev.election.jobs.internal;

import static java.util.Objects.requireNonNullElse;

import dev.election.StoreProblem;
import dev.election.jobs.internal.LedgerProblem.Effect;
import dev.election.store.NoAnswer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Problems of the ledgers of elections. Several elections often have the same one: it is logged once, with the action, for the first of
 * them, and once when it is over for the last.
 */
final class LedgerProblems {

    private static final Logger log = LoggerFactory.getLogger(LedgerProblems.class);

    private static final String OTHERS = " Other elections with this problem are not logged";

    /** A store that is away for a moment tells so by the election, which is lost if it lasts. */
    private static final int PATIENCE = 3;

    /** One that has been replaced hears so by its next renewal. */
    private static final int PATIENCE_WITH_LEADER = 5;

    private final InstantSource clock;
    private final Map<String, LedgerProblem> known = new ConcurrentHashMap<>();

    /** How many elections have had each kind of problem since it was logged last. Guarded by this. */
    private final Map<Effect, Integer> concerned = new EnumMap<>(Effect.class);

    /** The elections of which a job waits until it is recorded, or waited in vain, and not everything was recorded after that. */
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();

    LedgerProblems(InstantSource clock) {
        this.clock = clock;
    }

    Optional<LedgerProblem> of(String election) {
        return Optional.ofNullable(known.get(election));
    }

    /** A leader could not read what earlier ones have run, so often in a row. */
    synchronized void openFailed(String election, NoAnswer failure, int failures) {
        if (isRefusal(failure) || failures >= PATIENCE) {
            add(election, Effect.NO_JOB_RUNS, failure.problem(), failure.action(), failure.detail());
        }
    }

    /** A leader has found a ledger under a newer token than its own, so often in a row: no leader with that token makes this one cease to lead. */
    synchronized void aheadOfLeader(String election, int failures) {
        if (failures >= PATIENCE_WITH_LEADER) {
            add(
                    election,
                    Effect.NO_JOB_RUNS,
                    StoreProblem.UNKNOWN,
                    "the store has lost the highest token of the election but not its ledger, or somebody has changed one of the two: delete the"
                            + " ledger of the election in the store (over Redis the key that ends in :log)",
                    "it was opened under a newer token than that of the leader");
        }
    }

    /** A leader could not record what it has run, so often in a row. */
    synchronized void writeFailed(String election, NoAnswer failure, int failures) {
        if (isRefusal(failure) || failures >= PATIENCE) {
            Effect effect = waiting.contains(election) ? Effect.RECORDED_JOBS_WAIT : Effect.SLOTS_MAY_RUN_AGAIN;
            add(election, effect, failure.problem(), failure.action(), failure.detail());
        }
    }

    /** A job is about to wait until it is recorded. */
    synchronized void jobWaits(String election) {
        waiting.add(election);
    }

    /** A job does not run since it could not be recorded before. */
    synchronized void jobDoesNotRun(String election) {
        waiting.add(election);
        LedgerProblem before = known.get(election);
        if (before != null) {
            add(election, Effect.RECORDED_JOBS_WAIT, before.problem(), before.action(), before.detail());
        }
    }

    /** A leadership begins: of what could not be written in an earlier one nothing is left. */
    synchronized void opened(String election) {
        written(election);
        remove(election, "read", effect -> effect == Effect.NO_JOB_RUNS);
    }

    /** Nothing is left to be written. */
    synchronized void written(String election) {
        waiting.remove(election);
        remove(election, "written", effect -> effect != Effect.NO_JOB_RUNS);
    }

    /** Whether the store has answered, and will answer the same until somebody does something about it; a failover ends by itself. */
    static boolean isRefusal(NoAnswer failure) {
        return switch (failure.problem()) {
            case UNREACHABLE, TIMED_OUT, LOADING, CLUSTER_DOWN, READ_ONLY, TOO_FEW_REPLICAS -> false;
            default -> true;
        };
    }

    private void add(String election, Effect effect, StoreProblem problem, String action, String detail) {
        LedgerProblem before = known.get(election);
        if (before != null && before.effect().compareTo(effect) <= 0) {
            return;
        }
        Instant since = before == null ? clock.instant() : before.since();
        boolean isFirst = !isKnown(effect);
        known.put(election, new LedgerProblem(effect, problem, action, detail, since));
        concerned.merge(effect, 1, (sum, one) -> isFirst ? one : sum + one);
        if (!isFirst) {
            log.debug("The election '{}' has the same problem: {} ({}: {})", election, action, problem, detail);
            return;
        }
        switch (effect) {
            case NO_JOB_RUNS ->
                log.error(
                        "Scheduled jobs of the election '{}' do not run: the leader can't read the ledger, which says what was run before"
                                + " ({}, {}). Action: {}."
                                + OTHERS,
                        election,
                        problem,
                        detail,
                        action);
            case RECORDED_JOBS_WAIT ->
                log.error(
                        "Jobs of the election '{}' that wait until their slots are recorded (recoverWithin, atLeastFor, confirm-claims) do not run: the"
                                + " leader can't write to the ledger ({}, {}). Action: {}." + OTHERS,
                        election,
                        problem,
                        detail,
                        action);
            case SLOTS_MAY_RUN_AGAIN ->
                log.warn(
                        "The leader of the election '{}' can't record which slots of scheduled jobs it has run, since it can't write to the ledger; the"
                                + " next leader may run them again ({}, {}). Action: {}." + OTHERS,
                        election,
                        problem,
                        detail,
                        action);
        }
    }

    private void remove(String election, String what, Predicate<Effect> solved) {
        LedgerProblem before = known.get(election);
        if (before == null
                || !solved.test(before.effect())
                || !known.remove(election, before)
                || isKnown(before.effect())) {
            return;
        }
        int elections = requireNonNullElse(concerned.remove(before.effect()), 1);
        log.info(
                "The {} can be {} again{}",
                elections == 1 ? "ledger of the election '" + election + "'" : "ledgers of " + elections + " elections",
                what,
                before.effect() == Effect.SLOTS_MAY_RUN_AGAIN ? "" : ": the jobs that waited for that run");
    }

    private boolean isKnown(Effect effect) {
        return known.values().stream().anyMatch(problem -> problem.effect() == effect);
    }
}
