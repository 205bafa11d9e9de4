package dev.election.lease;

import dev.election.FencingToken;
import dev.election.Leader;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** News that saves waiting. It may be lost, late or repeated: nothing relies on it. */
public sealed interface Hint {

    /**
     * The lease was given back.
     *
     * @param token the token of the leadership that ended
     * @param successor the only node that may have the lease for a while, {@code null} for any
     * @param reserve how long that while is
     */
    record Released(FencingToken token, @Nullable String successor, Duration reserve) implements Hint {}

    /**
     * The lease was granted, or established again after the store had forgotten it.
     *
     * @param leader who leads
     * @param remaining how long the lease lasts if it is not renewed
     */
    record Acquired(Leader leader, Duration remaining) implements Hint {}

    /** The store has forgotten who leads; whoever does should renew at once. */
    record RollCall() implements Hint {}

    /** The store can be reached again after it could not: earlier requests and hints may be lost. */
    record Connected() implements Hint {}
}
