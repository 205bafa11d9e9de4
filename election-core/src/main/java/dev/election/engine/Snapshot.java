package dev.election.engine;

import dev.election.Leader;
import dev.election.Role;
import dev.election.protocol.HeldLease;
import dev.election.protocol.State;
import dev.election.protocol.State.Draining;
import dev.election.protocol.State.Leading;
import org.jspecify.annotations.Nullable;

/**
 * What readers see of a state. One immutable object, so that nobody ever sees the token of one leadership with the deadline of
 * another.
 *
 * @param heldLease the leadership of this node, {@code null} while it has none
 * @param admitting whether new leader work is admitted
 * @param otherwise the role while there is no leadership, or when its deadline has passed
 * @param leader the leader as far as is known, itself or another
 */
record Snapshot(@Nullable HeldLease heldLease, boolean admitting, Role otherwise, @Nullable Leader leader) {

    static Snapshot of(State state) {
        Leader leader = state.knowledge().leader();
        if (state instanceof Leading leading) {
            return new Snapshot(leading.heldLease(), true, Role.FOLLOWER, leader);
        }
        if (state instanceof Draining draining) {
            return new Snapshot(draining.heldLease(), false, Role.FOLLOWER, leader);
        }
        if (state instanceof State.Following) {
            return new Snapshot(null, false, Role.FOLLOWER, leader);
        }
        boolean stopped = state instanceof State.Stopped
                || (state instanceof State.Releasing releasing
                        && releasing.departure().isFinal());
        return new Snapshot(null, false, stopped ? Role.STOPPED : Role.COOLING_DOWN, leader);
    }
}
