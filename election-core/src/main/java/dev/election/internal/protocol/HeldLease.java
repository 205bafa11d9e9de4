package dev.election.internal.protocol;

import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.store.Candidate;
import dev.election.store.ReleaseRequest.Grant;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A leadership of this node.
 *
 * @param candidate who was granted it
 * @param leader this node as others see it, with the token
 * @param begun when it began, on the monotonic clock
 * @param deadline when it ends unless renewed, on the monotonic clock
 * @param expiry when the lease ends by the store's clock
 * @param renewal the latest renewal while it is waited for, {@code null} if none is
 * @param renewAt when the next one is due, or when the latest one is waited for no longer
 * @param called whether a roll call was heard after that renewal was sent, which the store may have carried out before it called
 * @param atRisk whether it was announced that half of the lease has gone without a renewal
 */
public record HeldLease(
        Candidate candidate,
        Leader leader,
        long begun,
        long deadline,
        Instant expiry,
        @Nullable Attempt renewal,
        long renewAt,
        boolean called,
        boolean atRisk) {

    public FencingToken token() {
        return leader.token();
    }

    public Grant grant() {
        return new Grant(token(), expiry);
    }

    public boolean isOver(long now) {
        return now - deadline >= 0;
    }

    /** When to look again: at the next renewal, when the lease is at risk, or at the end. */
    public long wakeAt(ProtocolTimings timings) {
        long next = Math.min(renewAt, deadline);
        return atRisk ? next : Math.min(next, riskAt(timings));
    }

    /** When half of the lease has gone without a renewal. Not before the first renewal could be answered: the grant itself may have come late. */
    long riskAt(ProtocolTimings timings) {
        return Math.max(timings.riskAt(deadline), begun + timings.patience());
    }

    public HeldLease renewing(Attempt attempt, long giveUpAt) {
        return new HeldLease(candidate, leader, begun, deadline, expiry, attempt, giveUpAt, false, atRisk);
    }

    public HeldLease renewed(long newDeadline, Instant newExpiry) {
        return new HeldLease(
                candidate, leader, begun, Math.max(deadline, newDeadline), newExpiry, renewal, renewAt, called, atRisk);
    }

    public HeldLease renewingAt(long at) {
        return new HeldLease(candidate, leader, begun, deadline, expiry, null, at, false, atRisk);
    }

    /** Another renewal follows the reply to the one under way. */
    public HeldLease calledMeanwhile() {
        return new HeldLease(candidate, leader, begun, deadline, expiry, renewal, renewAt, true, atRisk);
    }

    public HeldLease knownToBeAtRisk(boolean isAtRisk) {
        return new HeldLease(candidate, leader, begun, deadline, expiry, renewal, renewAt, called, isAtRisk);
    }
}
