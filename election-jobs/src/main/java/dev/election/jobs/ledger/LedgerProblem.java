package dev.election.jobs.ledger;

import dev.election.StoreProblem;
import java.time.Instant;

/**
 * Problem of the ledger of an election.
 *
 * @param effect the effect on jobs
 * @param problem what kind of failure
 * @param action what to do about it
 * @param detail what the store said
 * @param since since when
 */
public record LedgerProblem(Effect effect, StoreProblem problem, String action, String detail, Instant since) {

    /** Whether jobs of a leader don't run because of the problem. */
    public boolean stopsJobs() {
        return effect != Effect.SLOTS_MAY_RUN_AGAIN;
    }

    /** The effect on jobs, the worst first. */
    public enum Effect {
        /** No job runs: the runs of earlier leaders are not known. */
        NO_JOB_RUNS,
        /** Jobs that begin only when they are recorded do not run. */
        RECORDED_JOBS_WAIT,
        /** A later leader may run slots again. */
        SLOTS_MAY_RUN_AGAIN
    }
}
