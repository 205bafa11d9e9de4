package dev.election.jobs;

import dev.election.FencingToken;
import java.time.Instant;
import java.util.Optional;

/**
 * One run of a guarded job. The times are those of the node that ran it.
 *
 * @param election that guards the job
 * @param job its name
 * @param slot the scheduled time for which it ran, empty if it has none or it is not recorded
 * @param node that ran it, or claimed its slot
 * @param token of the leadership under which it ran
 * @param startedAt when it began, or when its slot was claimed if it is not known to have begun
 * @param endedAt when it ended, empty if it has not or that was not recorded
 * @param outcome how it ended
 * @param failure the class of the exception that ended it, empty if none did
 * @param requestedBy who asked for it by hand, and why; empty for a run that nobody asked for
 */
public record JobRun(
        String election,
        String job,
        Optional<Instant> slot,
        String node,
        FencingToken token,
        Instant startedAt,
        Optional<Instant> endedAt,
        Outcome outcome,
        Optional<String> failure,
        Optional<String> requestedBy) {

    /** How a run ended. */
    public enum Outcome {
        /** The run has not ended. */
        RUNNING,
        /** The job returned. */
        DONE,
        /** The job ended with an exception. */
        FAILED,
        /** The job was interrupted or cancelled, and ended with an exception because of that. */
        INTERRUPTED,
        /**
         * The slot was claimed, and the job is not known to have begun: its node ended before that was recorded. The slot is not run again.
         */
        CLAIMED,
        /**
         * The end is not recorded, and the node does not lead any more: either it has died, or the job still runs there and its end will be
         * recorded.
         */
        UNKNOWN
    }
}
