package dev.election.jobs.internal;

import dev.election.StoreProblem;
import java.time.Instant;

/**
 * What is wrong with the ledger of an election.
 *
 * @param effect what becomes of jobs
 * @param problem what kind of failure
 * @param action what to do about it
 * @param detail what the store said
 * @param since since when
 */
public record LedgerProblem(Effect effect, StoreProblem problem, String action, String detail, Instant since) {

    /** Whether jobs of a leader don't run for that. */
    public boolean stopsJobs() {
        return effect != Effect.SLOTS_MAY_RUN_AGAIN;
    }

    /** The effect on jobs, the worst first. */
    public enum Effect {
        /** None runs: it is not known what earlier leaders have run. */
        NO_JOB_RUNS,
        /** Those don't run that begin only when it is recorded. */
        RECORDED_JOBS_WAIT,
        /** A later leader may run slots again. */
        SLOTS_MAY_RUN_AGAIN
    }
}
