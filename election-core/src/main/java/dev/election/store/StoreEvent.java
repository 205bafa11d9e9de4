package dev.election.store;

import dev.election.FencingToken;
import dev.election.Leader;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event that a store passes on to its listeners, so that they need not wait. It may be lost, late or repeated, and in a store whose
 * channels others may use it may be forged: nothing relies on it, and an event that no node and no store would send is ignored.
 */
public sealed interface StoreEvent {

    /**
     * The lease was given back.
     *
     * @param token the token of the leadership that ended
     * @param successor the only node that may have the lease for a while, {@code null} for any
     * @param reserve how long that while is
     */
    record Released(FencingToken token, @Nullable String successor, Duration reserve) implements StoreEvent {}

    /**
     * The lease was granted, or established again after the store had forgotten it.
     *
     * @param leader who leads
     * @param remaining how long the lease lasts if it is not renewed
     */
    record Acquired(Leader leader, Duration remaining) implements StoreEvent {}

    /**
     * The store has forgotten who leads; whoever does should renew at once.
     *
     * @param incarnation the incarnation of the store that calls, {@code null} if it does not tell
     * @param at the time of the call, by the clock of the store
     */
    record RollCall(@Nullable String incarnation, Instant at) implements StoreEvent {

        /** Creates the call of a store that does not tell its incarnation, or of a client that can only publish. */
        public RollCall() {
            this(null, Instant.EPOCH);
        }

        /** Whether that incarnation of the store has sent this call, and certainly before that time. */
        public boolean isBefore(@Nullable String other, Instant then) {
            return incarnation != null && incarnation.equals(other) && at.isBefore(then);
        }

        /** Merges two calls: the result comes before a time only if both do. */
        public RollCall orLater(RollCall other) {
            if (incarnation == null || !incarnation.equals(other.incarnation)) {
                return new RollCall();
            }
            return at.isBefore(other.at) ? other : this;
        }
    }

    /**
     * The store can be reached again after it could not: earlier requests and events may be lost.
     *
     * @param anew whether requests go over another connection than before, and so perhaps to another server: what the former one
     *     granted, and is still on its way, counts no more
     * @param since if anew, since when requests go over that connection, by the monotonic clock of this process: one that was sent before
     *     and is not answered yet may never be
     */
    record Connected(boolean anew, long since) implements StoreEvent {

        /** Creates the event of a store that passes on events from here on, over the same connection as before. */
        public Connected() {
            this(false, 0);
        }

        /** Creates the event of a store to which requests go over another connection since then. */
        public static Connected anew(long since) {
            return new Connected(true, since);
        }
    }

    /** The store refuses to pass on events of the election to this process, until it says that it can be reached. */
    record Refused() implements StoreEvent {}

    /**
     * A node has sent a message, this one or another.
     *
     * @param message what it says
     */
    record Received(NodeMessage message) implements StoreEvent {}

    /**
     * A message with an invalid value, such as a negative time. Nobody obeys it, but its receiver should log it.
     *
     * @param kind the kind of message
     * @param objection the fault; repeats no text of the message, which may be forged to appear in the log
     */
    record Invalid(Class<? extends NodeMessage> kind, String objection) implements StoreEvent {}
}
