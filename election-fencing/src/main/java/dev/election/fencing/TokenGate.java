package dev.election.fencing;

import dev.election.FencingToken;
import java.time.Duration;

/**
 * Admits what a leader asks for unless a newer leader has asked before: for whatever is not a {@link Fenced} transaction or a fenced Redis key.
 * A resource has a name, and its highest token is kept for it. What is done after the answer can be overtaken by a newer leader; where that
 * must not be, check the token with the write.
 */
public interface TokenGate {

    /**
     * Tokens are the time of their grant in milliseconds, unless the clock of the elections' store has shown a later time before. One that is by so
     * much ahead of the clock is forged or comes from a broken clock, and would shut out every later leader. A gate may be told to accept more.
     */
    Duration PLAUSIBLE_AHEAD = Duration.ofDays(1);

    /** Notes the token for the resource, if it is neither older than the highest nor implausible. Waits for the store. */
    Admission admit(String resource, FencingToken token);

    /** The verdict of a gate. */
    sealed interface Admission {

        /** Whether the caller may go on. */
        default boolean isAdmitted() {
            return this instanceof Admitted;
        }
    }

    /** No newer token is known. */
    record Admitted() implements Admission {}

    /**
     * A newer leader has been here before.
     *
     * @param newer its token
     */
    record Stale(FencingToken newer) implements Admission {}

    /**
     * The token is too large to be one.
     *
     * @param limit the largest that would have been admitted
     */
    record Implausible(long limit) implements Admission {}

    /**
     * The largest token that is plausible. The clock alone moves it, so that a series of forged tokens can't.
     *
     * @param highest the highest token of the resource, 0 if there is none
     * @param now milliseconds since 1970
     * @param ahead how far a new token may be ahead of that
     */
    static long limit(long highest, long now, Duration ahead) {
        return Math.max(highest, now + ahead.toMillis());
    }
}
