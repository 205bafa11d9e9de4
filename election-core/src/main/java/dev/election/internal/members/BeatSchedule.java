package dev.election.internal.members;

import org.jspecify.annotations.Nullable;

/**
 * Schedule of the heartbeats of a process, in times of the monotonic clock. From half a lease after the last beat, the next one joins any batch of the
 * elections. A follower asks 1.2 to 1.5 leases after its last question, so a beat is due a little later than that: it rarely needs its own request.
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
     * A request for a beat before the regular one.
     *
     * @param from when it may join a batch
     * @param by when it is sent by itself
     */
    private record Wish(long from, long by) {}

    /** Whether a beat may join a batch that is sent now. */
    boolean mayJoin(long now) {
        return now - joinAt >= 0 || (wish != null && !isAwaited && now - wish.from() >= 0);
    }

    /** Returns when a beat is sent by itself. */
    long dueAt() {
        return wish != null && !isAwaited && dueAt - wish.by() > 0 ? wish.by() : dueAt;
    }

    /** Records that a beat is sent. If it is not answered for half a lease, another one is due. */
    void sent(long now) {
        isAwaited = true;
        sentAt = now;
        joinAt = now + lease / 2;
        dueAt = joinAt;
        wish = null;
    }

    /** Whether the reply to the beat of that time is awaited. The reply to an earlier beat does not end the wait for the last one. */
    boolean awaits(long sent) {
        return isAwaited && sentAt == sent;
    }

    /** Records that the last beat was answered. */
    void answered() {
        isAwaited = false;
        joinAt = sentAt + lease / 2;
        dueAt = sentAt + lease * 8 / 5;
    }

    /** Records that the last answer had only a part of the changes: the next beat is due at once. */
    void unfinished(long now) {
        isAwaited = false;
        joinAt = now;
        dueAt = now;
    }

    /** Records that the last beat has failed. */
    void failed(long now) {
        isAwaited = false;
        joinAt = now;
        dueAt = now + lease / 6;
    }

    /** Asks for a beat since this process has changed. It waits for a moment, so that one request has all changes of that moment. */
    void changed(long now) {
        wish(now, now + lease / 300);
    }

    /**
     * Asks for a beat since the copy of the members is incomplete.
     *
     * @param share from 0 to 1, different in each process, so that not all of them ask at once
     */
    void lacking(long now, double share) {
        long by = now + (long) (share * lease / 10);
        // A flood of forged messages must not cause a flood of requests.
        long earliest = sentAt + lease / 6;
        wish(earliest, by - earliest > 0 ? by : earliest);
    }

    private void wish(long from, long by) {
        wish = wish == null
                ? new Wish(from, by)
                : new Wish(wish.from() - from > 0 ? from : wish.from(), wish.by() - by > 0 ? by : wish.by());
    }
}
