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
     * Tokens are at least the time of their grant in milliseconds. One that is by so much larger than all that is known is forged or comes from a
     * broken clock, and would shut out every later leader.
     */
    Duration PLAUSIBLE_AHEAD = Duration.ofDays(1);

    /** Notes the token for the resource, if it is neither older than the highest nor implausible. Waits for the store. */
    Admission admit(String resource, FencingToken token);

    /** What a gate says. */
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
     * The largest token that is plausible.
     *
     * @param highest the highest token of the resource, 0 if there is none
     * @param now milliseconds since 1970
     */
    static long limit(long highest, long now) {
        return Math.max(highest, now) + PLAUSIBLE_AHEAD.toMillis();
    }
}
