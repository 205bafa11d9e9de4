package dev.election.internal.protocol;

import org.jspecify.annotations.Nullable;

/** State of a node in one election. */
public sealed interface State {

    Knowledge knowledge();

    /** Replaces the knowledge. */
    State knowing(Knowledge more);

    /** Whether there is neither a held lease nor a candidacy, so that the node may take another identity. */
    default boolean isAtRest() {
        return this instanceof Stopped || this instanceof CoolingDown || this instanceof Observing;
    }

    /** The node takes no part. */
    record Stopped(Knowledge knowledge) implements State {
        @Override
        public State knowing(Knowledge more) {
            return new Stopped(more);
        }
    }

    /**
     * The node is a candidate and does not lead.
     *
     * @param campaign the latest attempt while its reply is awaited, {@code null} otherwise
     * @param tryAt when to campaign next, or when the wait for the reply ends
     */
    record Following(Knowledge knowledge, @Nullable Attempt campaign, long tryAt) implements State {
        @Override
        public State knowing(Knowledge more) {
            return new Following(more, campaign, tryAt);
        }
    }

    /**
     * The node observes: it never leads, and reads now and then who does.
     *
     * @param look the latest read while its reply is awaited, {@code null} otherwise
     * @param lookAt when to read next, or when the wait for the reply ends
     */
    record Observing(Knowledge knowledge, @Nullable Attempt look, long lookAt) implements State {
        @Override
        public State knowing(Knowledge more) {
            return new Observing(more, look, lookAt);
        }
    }

    /** The node leads. */
    record Leading(Knowledge knowledge, HeldLease heldLease) implements State {
        @Override
        public State knowing(Knowledge more) {
            return new Leading(more, heldLease);
        }
    }

    /** The node leads, admits no new work, and will release the lease when the running work has ended. */
    record Draining(Knowledge knowledge, HeldLease heldLease, Departure departure) implements State {
        @Override
        public State knowing(Knowledge more) {
            return new Draining(more, heldLease, departure);
        }
    }

    /**
     * The node does not lead, and releases the lease or the candidacy in the store.
     *
     * @param heldLease the leadership that ended, {@code null} if the node did not lead
     * @param departure the reason of the release, and the state after it
     * @param release the attempt under way, {@code null} during a pause after a failure
     * @param tryAt when to try again
     * @param until when to give up: the lease ends by itself
     */
    record Releasing(
            Knowledge knowledge,
            @Nullable HeldLease heldLease,
            Departure departure,
            @Nullable Attempt release,
            long tryAt,
            long until)
            implements State {
        @Override
        public State knowing(Knowledge more) {
            return new Releasing(more, heldLease, departure, release, tryAt, until);
        }
    }

    /**
     * The node has abdicated or was evicted, or has a recovery that has not returned yet, and leaves the next grants to others.
     *
     * @param until when the node campaigns again, unless it is {@linkplain Knowledge#isOccupied occupied} then
     * @param look the latest read if it is under way or was not answered
     */
    record CoolingDown(Knowledge knowledge, long until, @Nullable Attempt look) implements State {
        @Override
        public State knowing(Knowledge more) {
            return new CoolingDown(more, until, look);
        }
    }
}
