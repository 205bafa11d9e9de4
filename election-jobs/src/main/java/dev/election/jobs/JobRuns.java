package dev.election.jobs;

import dev.election.StoreUnavailableException;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The latest runs of guarded jobs, of {@code @Scheduled} methods and of Quartz, on any node. Each run is recorded in the store about a
 * second later, and the latest 20 runs of each job are kept. No decision uses the records, and those of the last second before a node
 * crashed may be missing.
 */
public interface JobRuns {

    /**
     * The runs of the jobs of that election, the latest first, as the store has them now. Fails with a {@link StoreUnavailableException} if
     * the store gives no usable reply.
     */
    CompletionStage<List<JobRun>> of(String election);

    /** The runs of that job. */
    default CompletionStage<List<JobRun>> of(String election, String job) {
        return of(election)
                .thenApply(runs ->
                        runs.stream().filter(run -> run.job().equals(job)).toList());
    }
}
