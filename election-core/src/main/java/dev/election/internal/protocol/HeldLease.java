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
 * @param candidate the candidate to which the lease was granted
 * @param leader this node as others see it, with the token
 * @param begun when the leadership began, on the monotonic clock
 * @param deadline when the leadership ends unless renewed, on the monotonic clock
 * @param expiry when the lease ends by the store's clock
 * @param renewal the latest renewal while its reply is awaited, {@code null} otherwise
 * @param renewAt when the next renewal is due, or when the wait for the latest one ends
 * @param called whether a roll call arrived after that renewal was sent: the store may have carried the renewal out before the call
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

    /** Returns the next alarm: for a renewal, for the risk to the lease, or for its end. */
    public long wakeAt(ProtocolTimings timings) {
        long next = Math.min(renewAt, deadline);
        return atRisk ? next : Math.min(next, riskAt(timings));
    }

    /** Returns when half of the lease has passed without a renewal. Not before the first renewal could be answered, since the grant may have arrived late. */
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

    /** Lets another renewal follow the reply to the one under way, because of a roll call. */
    public HeldLease calledMeanwhile() {
        return new HeldLease(candidate, leader, begun, deadline, expiry, renewal, renewAt, true, atRisk);
    }

    public HeldLease knownToBeAtRisk(boolean isAtRisk) {
        return new HeldLease(candidate, leader, begun, deadline, expiry, renewal, renewAt, called, isAtRisk);
    }
}
