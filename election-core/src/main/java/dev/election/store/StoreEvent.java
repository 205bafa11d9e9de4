package dev.election.store;

import dev.election.FencingToken;
import dev.election.Leader;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a store tells those who listen, so that they need not wait. An event may be lost, late or repeated, and in a store whose channels
 * others may use it may be forged: nothing relies on it, and what no node and no store would say is ignored.
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
     * @param incarnation of the store that calls, {@code null} if it does not tell
     * @param at by its clock
     */
    record RollCall(@Nullable String incarnation, Instant at) implements StoreEvent {

        /** By a store that tells nothing of itself, or by somebody who can only publish. */
        public RollCall() {
            this(null, Instant.EPOCH);
        }

        /** Whether the same incarnation of the store has done something certainly later, in that millisecond. */
        public boolean isBefore(@Nullable String other, Instant then) {
            return incarnation != null && incarnation.equals(other) && at.isBefore(then);
        }

        /** A call that comes before what both come before. */
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

        /** Events can be heard. */
        public Connected() {
            this(false, 0);
        }

        /** Requests go over another connection since then. */
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
     * Something that was sent as a message of that kind and says what can't be said with it, such as a negative time. Nobody obeys it, but
     * whoever hears it should say so.
     *
     * @param kind of what kind it was meant to be
     * @param objection what is wrong with it; repeats no text of it, which may be meant for the log
     */
    record Invalid(Class<? extends NodeMessage> kind, String objection) implements StoreEvent {}
}
