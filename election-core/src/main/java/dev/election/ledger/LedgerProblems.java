package dev.election.ledger;

import dev.election.StoreProblem;
import dev.election.store.NoAnswer;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is wrong with the ledgers of elections. Each problem is told once, with what to do about it, and so is its end. */
final class LedgerProblems {

    private static final Logger log = LoggerFactory.getLogger(LedgerProblems.class);

    /** A store that is away for a moment tells so by the election, which is lost if it lasts. */
    private static final int PATIENCE = 3;

    private final InstantSource clock;
    private final Map<String, LedgerProblem> known = new ConcurrentHashMap<>();

    LedgerProblems(InstantSource clock) {
        this.clock = clock;
    }

    Optional<LedgerProblem> of(String election) {
        return Optional.ofNullable(known.get(election));
    }

    /** A leader could not read what earlier ones have run, so often in a row. */
    void openFailed(String election, NoAnswer failure, int failures) {
        if (isRefusal(failure) || failures >= PATIENCE) {
            add(election, failure, true);
        }
    }

    /** A leader could not record what it has run, so often in a row. */
    void writeFailed(String election, NoAnswer failure, int failures) {
        if (isRefusal(failure) || failures >= PATIENCE) {
            add(election, failure, false);
        }
    }

    void opened(String election) {
        remove(election, true);
    }

    /** Nothing is left to be written. */
    void written(String election) {
        remove(election, false);
    }

    /** Whether the store has answered, and will answer the same until somebody does something about it; a failover ends by itself. */
    static boolean isRefusal(NoAnswer failure) {
        return switch (failure.problem()) {
            case UNREACHABLE, TIMED_OUT, LOADING, CLUSTER_DOWN, READ_ONLY, TOO_FEW_REPLICAS -> false;
            default -> true;
        };
    }

    private void add(String election, NoAnswer failure, boolean stopsJobs) {
        StoreProblem problem = failure.problem();
        String action = failure.action();
        LedgerProblem before = known.get(election);
        if (before != null && (before.stopsJobs() || !stopsJobs)) {
            return;
        }
        known.put(election, new LedgerProblem(stopsJobs, problem, action, failure.detail(), clock.instant()));
        if (stopsJobs) {
            log.error(
                    "Scheduled jobs guarded by '{}' do not run: the leader can't read which slots were run before ({}, {}). Action: {}",
                    election,
                    problem,
                    failure.detail(),
                    action);
        } else {
            log.warn(
                    "The leader of '{}' can't record which slots of scheduled jobs it has run; its successor may run them again ({}, {}). Action: {}",
                    election,
                    problem,
                    failure.detail(),
                    action);
        }
    }

    private void remove(String election, boolean stopsJobs) {
        LedgerProblem before = known.get(election);
        if (before != null && before.stopsJobs() == stopsJobs && known.remove(election, before)) {
            log.info("The ledger of '{}' can be {} again", election, stopsJobs ? "read" : "written");
        }
    }
}
