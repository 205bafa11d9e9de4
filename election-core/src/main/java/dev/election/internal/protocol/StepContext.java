package dev.election.internal.protocol;

import dev.election.AbdicationOutcome;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeadershipEvent;
import dev.election.LossReason;
import dev.election.StoreProblem;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Held;
import dev.election.store.NoAnswer;
import dev.election.store.NodeMessage;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Context of one step: collects its effects, and has the functions that all rules share. */
final class StepContext {

    private final Self self;
    private final ProtocolTimings timings;
    private final Now now;
    private final List<Effect> effects = new ArrayList<>(4);

    StepContext(Self self, ProtocolTimings timings, Now now) {
        this.self = self;
        this.timings = timings;
        this.now = now;
    }

    Step to(State state) {
        return new Step(state, List.copyOf(effects));
    }

    Self self() {
        return self;
    }

    ProtocolTimings timings() {
        return timings;
    }

    long nanos() {
        return now.nanos();
    }

    boolean isDue(long at) {
        return now.nanos() - at >= 0;
    }

    /** Returns when the wait for running work ends, after that time or, for {@code null}, the drain time of the election. */
    long drainUntil(@Nullable Duration drain) {
        return now.nanos() + (drain == null ? timings.drain() : drain.toNanos());
    }

    Attempt attempt(Knowledge knowledge) {
        return new Attempt(knowledge.attempts(), self.candidate(knowledge.candidacy()), now.nanos());
    }

    /** Whether an attempt was made for the present candidacy: neither for an earlier one nor before a new start. */
    boolean isPresent(Attempt attempt, Knowledge knowledge) {
        return attempt.candidate().equals(self.candidate(knowledge.candidacy()));
    }

    /** Whether that leader is this node. */
    boolean isSelf(Leader leader) {
        return leader.node().equals(self.node()) && leader.address().equals(self.address());
    }

    void campaign(Attempt attempt, Knowledge knowledge) {
        effects.add(new Effect.Campaign(
                attempt,
                new CampaignRequest(
                        attempt.candidate(),
                        timings.lease(),
                        knowledge.seen(),
                        knowledge.hearing().settle(timings))));
    }

    void renew(Attempt attempt, HeldLease heldLease) {
        effects.add(new Effect.Renew(
                attempt,
                new RenewRequest(
                        heldLease.candidate(),
                        heldLease.token(),
                        heldLease.leader().since(),
                        heldLease.expiry(),
                        timings.lease())));
    }

    void look(Attempt attempt) {
        effects.add(new Effect.Look(attempt));
    }

    /** Releases a grant to a candidacy that has ended, which would exclude all candidates until its lease ends. */
    void giveBack(Attempt attempt, CampaignReply.Granted granted, LossReason reason) {
        release(
                null,
                new ReleaseRequest(
                        attempt.candidate(),
                        new ReleaseRequest.Grant(granted.token(), granted.expiry()),
                        timings.lease(),
                        reason));
    }

    void release(@Nullable Attempt attempt, ReleaseRequest request) {
        effects.add(new Effect.Release(attempt, request));
    }

    void departed(AbdicationOutcome outcome) {
        effects.add(new Effect.Departed(outcome));
    }

    void tell(NodeMessage message) {
        effects.add(new Effect.Tell(message));
    }

    void announce(LeadershipEvent event) {
        effects.add(new Effect.Announce(event));
    }

    LeadershipEvent.Resigning resigning(HeldLease heldLease, Departure departure) {
        return new LeadershipEvent.Resigning(
                self.election(),
                now.wall(),
                heldLease.token(),
                departure.reason(),
                departure.how().requestedBy());
    }

    LeadershipEvent.Resumed resumed(HeldLease heldLease) {
        return new LeadershipEvent.Resumed(self.election(), now.wall(), heldLease.token());
    }

    LeadershipEvent.Lost lost(HeldLease heldLease, LossReason reason) {
        return new LeadershipEvent.Lost(
                self.election(),
                now.wall(),
                heldLease.token(),
                reason,
                Duration.ofNanos(now.nanos() - heldLease.begun()));
    }

    LeadershipEvent.LeaseAtRisk atRisk(HeldLease heldLease) {
        return new LeadershipEvent.LeaseAtRisk(
                self.election(), now.wall(), heldLease.token(), Duration.ofNanos(heldLease.deadline() - now.nanos()));
    }

    LeadershipEvent.LeaseSecured secured(HeldLease heldLease) {
        return new LeadershipEvent.LeaseSecured(self.election(), now.wall(), heldLease.token());
    }

    LeadershipEvent.Acquired acquired(Leader leader) {
        return new LeadershipEvent.Acquired(self.election(), now.wall(), leader);
    }

    /** Announces that no leader is known, unless that was announced. */
    Knowledge leaderless(Knowledge knowledge) {
        return leaderless(knowledge, now.nanos());
    }

    /** Announces that no leader is known since that time, or since now if it is later; does nothing if that was announced. */
    Knowledge leaderless(Knowledge knowledge, long since) {
        if (!knowledge.leaderless()) {
            long age = Math.max(0, now.nanos() - since);
            announce(new LeadershipEvent.ElectionStarted(
                    self.election(), now.wall(), now.wall().minusNanos(age)));
        }
        return knowledge.leaderless(true);
    }

    /** Forgets the known leader, whose lease has ended, and announces that no leader is known. */
    Knowledge leaderGone(Knowledge knowledge) {
        return leaderless(forgetLeader(knowledge), lastRenewed(knowledge));
    }

    private long lastRenewed(Knowledge knowledge) {
        return knowledge.leader() == null
                ? now.nanos()
                : knowledge.leaderExpiry() - timings.lease().toNanos();
    }

    /** Whether the known leader has not been confirmed for so long after its lease that it counts as gone. */
    boolean isStale(Knowledge knowledge) {
        return knowledge.leader() != null && isDue(timings.staleAt(knowledge));
    }

    /** Forgets the known leader. */
    Knowledge forgetLeader(Knowledge knowledge) {
        if (knowledge.leader() == null) {
            return knowledge;
        }
        announce(new LeadershipEvent.LeaderChanged(self.election(), now.wall(), Optional.empty()));
        return knowledge.ledBy(null, 0);
    }

    /** Learns a leader. Announces it if it is new, and ignores it if it is older than the known one. */
    Knowledge learnLeader(Knowledge before, Leader leader, long expiry, boolean won) {
        Knowledge knowledge = before.seeing(leader.token());
        if (knowledge.knowsLeaderAfter(leader.token())) {
            return knowledge;
        }
        if (knowledge.leader() == null || knowledge.knowsLeaderBefore(leader.token())) {
            knowledge = leaderless(knowledge, lastRenewed(knowledge));
            announce(new LeadershipEvent.LeaderChanged(self.election(), now.wall(), Optional.of(leader)));
        }
        if (knowledge.leaderless()) {
            announce(new LeadershipEvent.ElectionCompleted(self.election(), now.wall(), leader, won));
        }
        return knowledge.leaderless(false).ledBy(leader, expiry);
    }

    /** Learns from an event who leads, in any role of this node. */
    Knowledge learn(Knowledge knowledge, StoreEvent event) {
        if (event instanceof StoreEvent.Acquired acquired) {
            // Old news must not bring back a leader that has gone since.
            FencingToken token = acquired.leader().token();
            boolean isNews = token.value() > knowledge.seen();
            boolean isKnown =
                    knowledge.leader() != null && knowledge.leader().token().equals(token);
            return !isNews && !isKnown
                    ? knowledge
                    : learnLeader(
                            isNews ? knowledge.movedUp() : knowledge,
                            acquired.leader(),
                            now.nanos() + acquired.remaining().toNanos(),
                            false);
        }
        if (event instanceof StoreEvent.Released released) {
            Knowledge wiser = knowledge.seeing(released.token());
            return wiser.knowsLeaderAfter(released.token()) ? wiser : forgetLeader(wiser);
        }
        return knowledge;
    }

    /** Records that an attempt has failed. */
    Knowledge failed(Knowledge knowledge, NoAnswer answer) {
        if (!knowledge.problems().contains(answer.problem())) {
            announce(new LeadershipEvent.StoreFailed(
                    self.election(), now.wall(), answer.problem(), answer.detail(), answer.action()));
        }
        return knowledge.failing(answer.problem());
    }

    Knowledge timedOut(Knowledge knowledge) {
        return failed(
                knowledge,
                new NoAnswer(
                        StoreProblem.TIMED_OUT,
                        "no answer within " + ReadableDuration.of(Duration.ofNanos(patience(knowledge)))));
    }

    /** Returns how long the reply to the next attempt is waited for. */
    long patience(Knowledge knowledge) {
        return timings.patienceAfter(knowledge.failures(), knowledge.latency());
    }

    /** Records that an attempt was answered. */
    Knowledge answered(Knowledge knowledge, Attempt attempt) {
        if (!knowledge.problems().isEmpty()) {
            announce(new LeadershipEvent.StoreRecovered(self.election(), now.wall()));
        }
        return knowledge.answeredAfter(now.nanos() - attempt.sentAt());
    }

    /**
     * Records that a campaign was answered. If too few replicas acknowledge grants, refusals are still answered: they do not end that incident, unless
     * the leader has led for longer than the lease of an unacknowledged grant.
     */
    Knowledge answered(Knowledge knowledge, Attempt attempt, CampaignReply reply) {
        boolean isOver = !knowledge.problems().contains(StoreProblem.TOO_FEW_REPLICAS)
                || reply instanceof CampaignReply.Granted
                || (reply instanceof Held held && hasLasted(held));
        return isOver ? answered(knowledge, attempt) : knowledge.refusedAfter(now.nanos() - attempt.sentAt());
    }

    private boolean hasLasted(Held held) {
        return held.leader().since().plus(timings.lease().multipliedBy(2)).isBefore(now.wall());
    }

    long retryAt(Knowledge knowledge) {
        return now.nanos() + timings.retryAfter(knowledge.failures(), self.spread() + (int) knowledge.attempts());
    }

    /** Returns this node's turn to campaign for a lease that is free from that time on. */
    long turnAt(Knowledge knowledge, long free) {
        return timings.queue().turnAt(free, knowledge.turn(), knowledge.latency(), self.spread());
    }

    /** Returns when to campaign at the latest to keep the place in the queue. */
    long askAgainBy(Knowledge knowledge) {
        return timings.queue().askAgainBy(knowledge.rankedAt(), self.spread());
    }
}
