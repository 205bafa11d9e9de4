package dev.election.benchmarks;

import dev.election.Election;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** When a node was first seen to lead, by whichever of its threads was the first to see it. */
final class FirstSight {

    private static final long NEVER = Long.MIN_VALUE;

    private final AtomicLong at = new AtomicLong(NEVER);
    private volatile @Nullable Election election;

    /** From now on this election is looked at. */
    void watch(Election watched) {
        election = watched;
    }

    void look() {
        Election watched = election;
        if (watched != null && watched.isLeader()) {
            at.compareAndSet(NEVER, System.nanoTime());
        }
    }

    long at() {
        return at.get();
    }

    void forget() {
        at.set(NEVER);
    }
}
