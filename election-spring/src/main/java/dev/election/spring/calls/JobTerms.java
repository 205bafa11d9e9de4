package dev.election.spring.calls;

import dev.election.Recover;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a guarded method is run as a scheduled job.
 *
 * @param job the name of the job, {@code null} for that of bean and method
 * @param recoverWithin how long a slot that was missed is worth being run late, zero for not at all; {@code null} if the guard does not say
 * @param atLeastFor how long after a start the next one comes at the earliest, {@code null} if the guard does not say
 * @param recover which of several missed slots are run
 * @param rerunInterrupted whether a slot that had begun under an earlier leader is run again
 * @param ofMethod whether the guard stands on the method, and not on its type
 * @param partitions the number of partitions of the group for each of which the method is called; zero if it is guarded by one election
 */
public record JobTerms(
        @Nullable String job,
        @Nullable Duration recoverWithin,
        @Nullable Duration atLeastFor,
        Recover recover,
        boolean rerunInterrupted,
        boolean ofMethod,
        int partitions) {

    /** The terms of a guard that says nothing of jobs. */
    public static final JobTerms NONE = new JobTerms(null, null, null, Recover.LATEST, false, false, 0);
}
