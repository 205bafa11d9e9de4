package dev.election.internal.steering;

import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.Steering;
import dev.election.internal.abdication.Doubling;
import dev.election.internal.succession.Succession;
import dev.election.members.Member;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A hand-over of leadership that is due without a request. Times are of the monotonic clock.
 *
 * @param successor who should lead
 * @param at the earliest time of the hand-over
 * @param isPreemption whether the successor is a better candidate, and not just another one
 * @param reason for the history and the log
 */
public record HandOver(Member successor, long at, boolean isPreemption, String reason) {

    /** Number of leaderships before the present one that count. */
    private static final int TENURES = Steering.LEADERSHIPS_NEEDED - 1;

    /**
     * Returns the next hand-over of a leader; empty if there is none.
     *
     * @param own the instance of the leader
     * @param begun when its leadership began
     * @param isConfirmed whether the store has confirmed the same better candidate for a whole lease
     * @param wait the least time that the leader leads before it is preempted
     */
    public static Optional<HandOver> of(
            Succession order, Steering steering, String own, long begun, boolean isConfirmed, Duration wait) {
        Optional<HandOver> preemption = !isConfirmed
                ? Optional.empty()
                : order.successorOf(own)
                        .map(member -> new HandOver(
                                member,
                                begun + wait.toNanos(),
                                true,
                                shouldLead(member, order)
                                        + order.downtime(own)
                                                .map(down -> ", and the leader is down: " + down.reason())
                                                .orElse("")));
        Duration maximum = steering.maximumTenure();
        Optional<HandOver> rotation = maximum == null
                ? Optional.empty()
                : order.other(own)
                        .map(member -> new HandOver(member, begun + maximum.toNanos(), false, "maximum tenure"));
        if (preemption.isEmpty() || rotation.isEmpty()) {
            return preemption.or(() -> rotation);
        }
        return preemption.get().at() - rotation.get().at() <= 0 ? preemption : rotation;
    }

    /**
     * Returns the hand-over of a leader to an equal candidate that leads less.
     *
     * @param begun when its leadership began, or the last try that its running work has prevented
     */
    static HandOver forBalance(Succession order, Member successor, long begun, int failedTries, Duration lease) {
        long wait = failedTries == 0 ? 0 : Doubling.of(lease, failedTries).toNanos();
        return new HandOver(successor, begun + wait, false, shouldLead(successor, order));
    }

    private static String shouldLead(Member successor, Succession order) {
        return successor.id() + " should lead (" + order.reason(successor) + ")";
    }

    /**
     * Returns the least time that a leader leads before it is preempted: the minimum tenure, or a lease where that is zero, doubled for each of the
     * last ten leaderships that its leader handed over without a request, up to an hour.
     *
     * @param history of the election from the store, which a change of leader does not erase
     * @param failedTries hand-overs of this leader that its running work has prevented
     */
    public static Duration waitAfter(
            List<LeadershipRecord> history, int failedTries, Steering steering, Duration lease) {
        long handOvers = history.stream()
                .filter(past -> past.until() != null)
                .limit(TENURES)
                .filter(past -> past.reason() == LossReason.PREEMPTED)
                .count();
        long doublings = handOvers + failedTries;
        Duration minimum = steering.minimumTenure();
        if (doublings == 0) {
            return minimum;
        }
        Duration wait = Doubling.of(minimum.compareTo(lease) < 0 ? lease : minimum, doublings);
        return minimum.compareTo(wait) > 0 ? minimum : wait;
    }
}
