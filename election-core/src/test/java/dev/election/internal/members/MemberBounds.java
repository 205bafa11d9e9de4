package dev.election.internal.members;

import java.time.Duration;

/**
 * How far what a node shows of the members may be behind, in leases, apart from the time of an answer. They follow from when a process beats and
 * when it expires; docs/members.md states them.
 */
public final class MemberBounds {

    private static final Duration LEASE = Duration.ofSeconds(15);

    /** Between two beats that are answered. */
    public static final double HEARTBEAT = inLeases(answered().dueAt());

    /** Between a beat that is not answered and the next one: a process is registered again after that. */
    public static final double RETRY = inLeases(sent().dueAt());

    /** From the last beat of a process to its expiry. */
    public static final double EXPIRY = inLeases(Membership.expiry(LEASE).toNanos());

    /** From a change in the store until every node shows it that reaches the store, if all messages are lost. */
    public static final double SEEN = HEARTBEAT;

    /** From the last beat of a process that was killed until no such node shows it. */
    public static final double GONE = EXPIRY + SEEN;

    /** The same in a store without a clock: the reader first sees that beat, then counts. */
    public static final double GONE_WITHOUT_CLOCK = SEEN + EXPIRY + SEEN;

    /** From when the store has lost a process that was killed until no such node shows it: the reader first sees the loss, then counts. */
    public static final double GONE_AFTER_LOSS = SEEN + EXPIRY + SEEN;

    private MemberBounds() {}

    private static BeatSchedule sent() {
        BeatSchedule schedule = new BeatSchedule(LEASE.toNanos());
        schedule.sent(0);
        return schedule;
    }

    private static BeatSchedule answered() {
        BeatSchedule schedule = sent();
        schedule.answered();
        return schedule;
    }

    private static double inLeases(long nanos) {
        return (double) nanos / LEASE.toNanos();
    }
}
