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
        Optional<String> failure) {

    /** How a run ended. */
    public enum Outcome {
        /** It has not ended. */
        RUNNING,
        /** It returned. */
        DONE,
        /** It ended with an exception. */
        FAILED,
        /** It was interrupted or cancelled, and ended with an exception because of that. */
        INTERRUPTED,
        /** Its slot was claimed, and it is not known to have begun: its node ended before that was recorded. It is not run again. */
        CLAIMED,
        /** Its end is not recorded, and its node does not lead any more: it has died, or the job still runs there, whose end it will record. */
        UNKNOWN
    }
}
