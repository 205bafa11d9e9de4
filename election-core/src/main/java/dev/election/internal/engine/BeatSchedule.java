package dev.election.internal.engine;

import org.jspecify.annotations.Nullable;

/**
 * When a process beats, in times of the monotonic clock. A beat joins any batch of the elections from half a lease after the last one. A
 * follower asks 1.2 to 1.5 leases after its last question: so a beat that waits for a little longer than that needs no request of its own.
 */
final class BeatSchedule {

    private final long lease;
    private boolean isAwaited;
    private long sentAt;
    private long joinAt;
    private long dueAt;
    private @Nullable Wish wish;

    BeatSchedule(long lease) {
        this.lease = lease;
    }

    /**
     * A beat that is wanted before its time.
     *
     * @param from it may join a batch from then on
     * @param by then it is sent by itself
     */
    private record Wish(long from, long by) {}

    /** Whether a beat may travel with a batch. */
    boolean mayJoin(long now) {
        return now - joinAt >= 0 || (wish != null && !isAwaited && now - wish.from() >= 0);
    }

    /** When a beat is sent by itself. */
    long dueAt() {
        return wish != null && !isAwaited && dueAt - wish.by() > 0 ? wish.by() : dueAt;
    }

    /** A beat is sent. If nothing is heard of it for half a lease, another one is. */
    void sent(long now) {
        isAwaited = true;
        sentAt = now;
        joinAt = now + lease / 2;
        dueAt = joinAt;
        wish = null;
    }

    /** Whether the reply to the beat of that time is awaited: the one to an earlier beat says nothing of the last one. */
    boolean awaits(long sent) {
        return isAwaited && sentAt == sent;
    }

    /** The last beat was answered. */
    void answered() {
        isAwaited = false;
        joinAt = sentAt + lease / 2;
        dueAt = sentAt + lease * 8 / 5;
    }

    /** The store has more to say than it answered. */
    void unfinished(long now) {
        isAwaited = false;
        joinAt = now;
        dueAt = now;
    }

    /** The last beat was not answered. */
    void failed(long now) {
        isAwaited = false;
        joinAt = now;
        dueAt = now + lease / 6;
    }

    /** This process has changed: one request tells all changes of a moment. */
    void changed(long now) {
        wish(now, now + lease / 300);
    }

    /**
     * The copy lacks something.
     *
     * @param share of this process, from 0 to 1: not all that hear of it ask at once
     */
    void lacking(long now, double share) {
        long by = now + (long) (share * lease / 10);
        // Not each time that somebody sends nonsense.
        long earliest = sentAt + lease / 6;
        wish(earliest, by - earliest > 0 ? by : earliest);
    }

    private void wish(long from, long by) {
        wish = wish == null
                ? new Wish(from, by)
                : new Wish(wish.from() - from > 0 ? from : wish.from(), wish.by() - by > 0 ? by : wish.by());
    }
}
