package dev.election.quartz;

import dev.election.StoreProblem;
import dev.election.store.NoAnswer;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is wrong with the logs of elections. Each problem is told once, with what to do about it, and so is its end. */
final class LogProblems {

    private static final Logger log = LoggerFactory.getLogger(LogProblems.class);

    /** A store that is away for a moment tells so by the election, which is lost if it lasts. */
    private static final int PATIENCE = 3;

    private final InstantSource clock;
    private final Map<String, JobLogProblem> known = new ConcurrentHashMap<>();

    LogProblems(InstantSource clock) {
        this.clock = clock;
    }

    Optional<JobLogProblem> of(String election) {
        return Optional.ofNullable(known.get(election));
    }

    /** A leader could not read what earlier ones have fired, so often in a row. */
    void openFailed(String election, NoAnswer failure, int failures) {
        if (isRefusal(failure) || failures >= PATIENCE) {
            add(election, failure, true);
        }
    }

    /** A leader could not write down what it has fired, so often in a row. */
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
        JobLogProblem before = known.get(election);
        if (before != null && (before.stopsJobs() || !stopsJobs)) {
            return;
        }
        known.put(election, new JobLogProblem(stopsJobs, problem, action, failure.detail(), clock.instant()));
        if (stopsJobs) {
            log.error(
                    "Quartz jobs guarded by '{}' do not run: the leader can't read which slots were fired before ({}, {}). Action: {}",
                    election,
                    problem,
                    failure.detail(),
                    action);
        } else {
            log.warn(
                    "The leader of '{}' can't write down which slots its Quartz jobs have fired, and its successor may fire them again"
                            + " ({}, {}). Action: {}",
                    election,
                    problem,
                    failure.detail(),
                    action);
        }
    }

    private void remove(String election, boolean stopsJobs) {
        JobLogProblem before = known.get(election);
        if (before != null && before.stopsJobs() == stopsJobs && known.remove(election, before)) {
            log.info("The log of fired slots of '{}' can be {} again", election, stopsJobs ? "read" : "written");
        }
    }
}
