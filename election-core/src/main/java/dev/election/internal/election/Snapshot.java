package dev.election.internal.election;

import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.Role;
import dev.election.internal.protocol.Departure;
import dev.election.internal.protocol.HeldLease;
import dev.election.internal.protocol.State;
import dev.election.internal.protocol.State.Draining;
import dev.election.internal.protocol.State.Leading;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An immutable view of a state for readers on any thread. It has only the parts that they need, so that it changes rarely. They are in one object so
 * that no reader sees the token of one leadership with the deadline of another.
 *
 * @param lease the leadership of this node, {@code null} while it has none
 * @param admitting whether new leader work is admitted
 * @param otherwise the role while there is no leadership, or when its deadline has passed
 * @param leader the known leader, this node or another, {@code null} if none
 */
public record Snapshot(@Nullable Lease lease, boolean admitting, Role otherwise, @Nullable Leader leader) {

    static Snapshot of(State state) {
        Leader leader = state.knowledge().leader();
        if (state instanceof Leading leading) {
            return new Snapshot(Lease.of(leading.heldLease()), true, Role.FOLLOWER, leader);
        }
        if (state instanceof Draining draining) {
            return new Snapshot(Lease.of(draining.heldLease()), false, Role.FOLLOWER, leader);
        }
        if (state instanceof State.Following) {
            return new Snapshot(null, false, Role.FOLLOWER, leader);
        }
        if (state instanceof State.Releasing releasing) {
            return new Snapshot(null, false, roleAfter(releasing.departure()), leader);
        }
        if (state instanceof State.Observing) {
            return new Snapshot(null, false, Role.OBSERVER, leader);
        }
        return new Snapshot(null, false, state instanceof State.Stopped ? Role.STOPPED : Role.COOLING_DOWN, leader);
    }

    /** Returns this snapshot for a leader that recovers. */
    Snapshot admittingNothing() {
        return new Snapshot(lease, false, otherwise, leader);
    }

    /** Returns this snapshot for a candidate that does not campaign yet. */
    Snapshot asFollower() {
        return new Snapshot(lease, admitting, Role.FOLLOWER, leader);
    }

    private static Role roleAfter(Departure departure) {
        return switch (departure.goal()) {
            case STOP -> Role.STOPPED;
            case RETURN -> Role.COOLING_DOWN;
            case OBSERVE -> Role.OBSERVER;
        };
    }

    /**
     * A leadership of this node.
     *
     * @param token its token
     * @param since when it was granted
     * @param deadline when it ends unless renewed, on the monotonic clock
     */
    record Lease(FencingToken token, Instant since, long deadline) {

        private static Lease of(HeldLease held) {
            return new Lease(held.token(), held.leader().since(), held.deadline());
        }

        boolean isOver(long now) {
            return now - deadline >= 0;
        }
    }
}
