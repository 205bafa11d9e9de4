package dev.election.internal.steering;

import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.Steering;
import dev.election.members.Member;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a leader should do by itself: hand over to a member, and not before that time. Times are of the monotonic clock.
 *
 * @param successor who should lead
 * @param at when, at the earliest
 * @param isPreemption whether the successor is a better candidate, and not just another one
 * @param reason why, for the history and the log
 */
public record HandOver(Member successor, long at, boolean isPreemption, String reason) {

    /** How many leaderships before the present one count. */
    private static final int TENURES = Steering.LEADERSHIPS_NEEDED - 1;

    /**
     * What the leader should do.
     *
     * @param own the instance of the leader
     * @param begun when its leadership began
     * @param isConfirmed whether the store has confirmed the same better candidate for a whole lease
     * @param wait how long the leader leads at least before it is preempted
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
                                member.id() + " should lead (" + order.reason(member) + ")"
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
     * How long a leader leads at least before it is preempted: the minimum tenure, or a lease where that is zero, doubled for each of the last ten
     * leaderships that was handed over by its leader itself, up to an hour.
     *
     * @param history of the election as the store keeps it, so that a change of leader forgets nothing
     * @param inVain how often this leader has tried since, without an end of its running work
     */
    public static Duration waitAfter(List<LeadershipRecord> history, int inVain, Steering steering, Duration lease) {
        long handOvers = history.stream()
                .filter(past -> past.until() != null)
                .limit(TENURES)
                .filter(past -> past.reason() == LossReason.PREEMPTED)
                .count();
        long doublings = handOvers + inVain;
        Duration minimum = steering.minimumTenure();
        if (doublings == 0) {
            return minimum;
        }
        Duration wait = Doubling.of(minimum.compareTo(lease) < 0 ? lease : minimum, doublings);
        return minimum.compareTo(wait) > 0 ? minimum : wait;
    }
}
