package dev.election.test;

import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.Role;
import org.jspecify.annotations.Nullable;

/**
 * How things stand in an election. One immutable object, so that nobody sees half of a change.
 *
 * @param role what part this node plays
 * @param leader who leads, if anybody does
 * @param admitting whether new leader work is admitted
 */
record Standing(Role role, @Nullable Leader leader, boolean admitting) {

    static final Standing LEADERLESS = new Standing(Role.FOLLOWER, null, false);
    static final Standing STOPPED = new Standing(Role.STOPPED, null, false);

    static Standing leading(Leader self) {
        return new Standing(Role.LEADER, self, true);
    }

    static Standing following(Leader other) {
        return new Standing(Role.FOLLOWER, other, false);
    }

    Standing resigning() {
        return new Standing(role, leader, false);
    }

    /** This node as the leader, or {@code null} if it does not lead. */
    @Nullable
    Leader self() {
        return role == Role.LEADER ? leader : null;
    }

    boolean isResigning() {
        return role == Role.LEADER && !admitting;
    }

    boolean isStopped() {
        return role == Role.STOPPED;
    }

    boolean isLedUnder(FencingToken token) {
        Leader self = self();
        return self != null && self.token().equals(token);
    }
}
