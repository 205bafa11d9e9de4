package dev.election.test;

import dev.election.AbdicationOutcome;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.LossReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Who leads an election, and what a change of that brings with it. Only to be called under the lock of the election. */
final class Leaderships {

    private final String election;
    private final String node;
    private final Announcements announcements;
    private final List<CompletableFuture<AbdicationOutcome>> departures = new ArrayList<>();

    /** To be told outside the lock. */
    private final Queue<Runnable> outcomes = new ConcurrentLinkedQueue<>();

    private Standing standing = Standing.LEADERLESS;
    private LossReason leavingFor = LossReason.ABDICATED;
    private long lastToken;
    private long begun;

    Leaderships(String election, String node, Announcements announcements) {
        this.election = election;
        this.node = node;
        this.announcements = announcements;
    }

    Standing standing() {
        return standing;
    }

    void lead() {
        lose(LossReason.EXPIRED);
        Leader self = elect(node);
        standing = Standing.leading(self);
        begun = System.nanoTime();
        announcements.note(acquired(self));
    }

    void follow(@Nullable String other) {
        lose(other == null ? LossReason.EXPIRED : LossReason.SUPERSEDED);
        if (other == null) {
            forgetLeader();
            standing = Standing.LEADERLESS;
        } else {
            standing = Standing.following(elect(other));
        }
    }

    void reset() {
        lose(LossReason.STOPPED);
        follow(null);
    }

    void start() {
        if (standing.isStopped()) {
            standing = Standing.LEADERLESS;
        }
    }

    /** Begins to leave; whoever calls sees to it that {@link #release} follows once the running work has ended. */
    void leave(LossReason reason, CompletableFuture<AbdicationOutcome> left) {
        Leader self = standing.self();
        if (self == null) {
            outcomes.add(() -> left.complete(AbdicationOutcome.NOT_LEADER));
            standing = reason == LossReason.STOPPED ? Standing.STOPPED : standing;
            return;
        }
        departures.add(left);
        if (standing.admitting()) {
            leavingFor = reason;
            standing = standing.resigning();
            announcements.note(new LeadershipEvent.Resigning(election, Instant.now(), self.token(), reason));
        } else if (reason == LossReason.STOPPED) {
            leavingFor = reason;
        }
    }

    void release() {
        LossReason reason = leavingFor;
        end(reason, AbdicationOutcome.RELEASED);
        standing = reason == LossReason.STOPPED ? Standing.STOPPED : Standing.LEADERLESS;
    }

    /** A listener that comes while this node leads hears that first. */
    void welcome(LeadershipListener listener) {
        announcements.add(listener);
        Leader self = standing.self();
        if (self != null) {
            announcements.note(listener, acquired(self));
        }
    }

    /** Tells those that wait for their departure. Outside of the lock, after the listeners. */
    void tellOutcomes() {
        for (Runnable next = outcomes.poll(); next != null; next = outcomes.poll()) {
            next.run();
        }
    }

    private Leader elect(String winner) {
        forgetLeader();
        announcements.note(new LeadershipEvent.ElectionStarted(election, Instant.now()));
        Leader leader = new Leader(winner, "localhost", new FencingToken(++lastToken), Instant.now());
        announcements.note(new LeadershipEvent.LeaderChanged(election, Instant.now(), Optional.of(leader)));
        announcements.note(new LeadershipEvent.ElectionCompleted(election, Instant.now(), leader, winner.equals(node)));
        return leader;
    }

    private void lose(LossReason reason) {
        if (standing.self() != null) {
            end(reason, AbdicationOutcome.ENDED_UNCONFIRMED);
            standing = Standing.LEADERLESS;
        }
    }

    private void end(LossReason reason, AbdicationOutcome outcome) {
        Leader self = standing.self();
        if (self == null) {
            throw new IllegalStateException("This node does not lead " + election);
        }
        Duration held = Duration.ofNanos(System.nanoTime() - begun);
        announcements.note(new LeadershipEvent.Lost(election, Instant.now(), self.token(), reason, held));
        forgetLeader();
        departures.forEach(left -> outcomes.add(() -> left.complete(outcome)));
        departures.clear();
    }

    private void forgetLeader() {
        if (standing.leader() != null) {
            announcements.note(new LeadershipEvent.LeaderChanged(election, Instant.now(), Optional.empty()));
        }
    }

    private LeadershipEvent.Acquired acquired(Leader self) {
        return new LeadershipEvent.Acquired(election, Instant.now(), self);
    }
}
