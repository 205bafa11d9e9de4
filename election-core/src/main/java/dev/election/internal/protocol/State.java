package dev.election.internal.protocol;

import org.jspecify.annotations.Nullable;

/** Where a node stands in one election. */
public sealed interface State {

    Knowledge knowledge();

    /** The same state of a node that knows more. */
    State knowing(Knowledge more);

    /** Whether it neither holds a lease nor has a candidacy under way, so that the node may go on as another one. */
    default boolean isAtRest() {
        return this instanceof Stopped || this instanceof CoolingDown || this instanceof Observing;
    }

    /** Takes no part and wants nothing. */
    record Stopped(Knowledge knowledge) implements State {
        @Override
        public State knowing(Knowledge more) {
            return new Stopped(more);
        }
    }

    /**
     * Would lead, and tries now and then.
     *
     * @param knowledge what it knows
     * @param campaign the latest attempt while it is waited for, {@code null} if none is
     * @param tryAt when to try next, or when the latest attempt is waited for no longer
     */
    record Following(Knowledge knowledge, @Nullable Attempt campaign, long tryAt) implements State {
        @Override
        public State knowing(Knowledge more) {
            return new Following(more, campaign, tryAt);
        }
    }

    /**
     * Never leads, and asks now and then who does.
     *
     * @param knowledge what it knows
     * @param look the latest question while it is waited for, {@code null} if none is
     * @param lookAt when to ask next, or when the latest question is waited for no longer
     */
    record Observing(Knowledge knowledge, @Nullable Attempt look, long lookAt) implements State {
        @Override
        public State knowing(Knowledge more) {
            return new Observing(more, look, lookAt);
        }
    }

    /** Leads. */
    record Leading(Knowledge knowledge, HeldLease heldLease) implements State {
        @Override
        public State knowing(Knowledge more) {
            return new Leading(more, heldLease);
        }
    }

    /** Leads, admits no new work, and will release when the running work has ended. */
    record Draining(Knowledge knowledge, HeldLease heldLease, Departure departure) implements State {
        @Override
        public State knowing(Knowledge more) {
            return new Draining(more, heldLease, departure);
        }
    }

    /**
     * Believes in nothing any more and gives back what the store may still hold for its candidacy.
     *
     * @param knowledge what it knows
     * @param heldLease the leadership that ended, {@code null} if it never led
     * @param departure why
     * @param release the attempt under way, {@code null} while it pauses after a failure
     * @param tryAt when to try again
     * @param until when it stops to try: the lease ends by itself
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
     * Has abdicated or was evicted, or has a recovery that has not returned yet, and leaves the next grants to others.
     *
     * @param knowledge what it knows
     * @param until when it comes back, unless it is {@linkplain Knowledge#isOccupied occupied} then
     * @param look the question who leads, if it is under way or went unanswered
     */
    record CoolingDown(Knowledge knowledge, long until, @Nullable Attempt look) implements State {
        @Override
        public State knowing(Knowledge more) {
            return new CoolingDown(more, until, look);
        }
    }
}
