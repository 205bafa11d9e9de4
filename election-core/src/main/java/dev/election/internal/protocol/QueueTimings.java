package dev.election.internal.protocol;

import java.util.OptionalInt;

/**
 * The times at which followers campaign by their place in the queue, so that a thousand of them never do at the same time. The followers at the front
 * campaign one after the other. The turns of all others are spread over a time that grows with their number; before their turn, an event names the new
 * leader. Where the store keeps no order, the turns are spread over a tenth of a lease.
 *
 * @param lease the length of a lease, in nanoseconds
 */
public record QueueTimings(long lease) {

    /** The place of a candidate that asks only for a lease that has been free for as long as a lease. */
    public static final int LAST = Integer.MAX_VALUE;

    private static final int FRONT = 2;
    private static final long SHORTEST_ANSWER = 3_000_000;

    /**
     * Returns a follower's turn to campaign for a lease that is free from that time on. The spread is the same for all elections of a process, and a lease
     * has 150 possible moments: so a process campaigns at one moment for all of its elections whose leases end together.
     */
    long turnAt(long free, OptionalInt rank, long latency, int spread) {
        if (rank.isEmpty()) {
            return onGrid(free + share(unordered(), spread), spread);
        }
        int place = rank.getAsInt();
        if (place == LAST) {
            return onGrid(free + lease + share(unordered(), spread), spread);
        }
        return place < FRONT
                ? free + place * spacing(latency)
                : onGrid(free + front(latency) + share(window(place, latency), spread), spread);
    }

    /** Returns the longest time from the end of a lease to that turn. */
    long longestDelay(OptionalInt rank, long latency) {
        if (rank.isEmpty()) {
            return unordered() + grid();
        }
        int place = rank.getAsInt();
        if (place == LAST) {
            return lease + unordered() + grid();
        }
        return place < FRONT ? place * spacing(latency) : front(latency) + window(place, latency) + grid();
    }

    /**
     * Returns when to campaign at the latest to keep the place in the queue, which the store keeps for three leases or more. The regular campaign is
     * earlier, unless news has moved it.
     */
    long askAgainBy(long askedAt, int spread) {
        return askedAt + lease / 5 * 6 + share(lease / 10 * 3, spread);
    }

    /**
     * Returns the time between two turns at the front. It is enough for an event of the grant to the candidate before, if the store is as fast as
     * lately, even while it grants hundreds of leases.
     */
    private long spacing(long latency) {
        return Math.max(answer(latency), lease / 100);
    }

    private long answer(long latency) {
        return Math.min(Math.max(SHORTEST_ANSWER, latency), lease / 20);
    }

    /**
     * Returns the time in which only the front campaigns: until its last candidate has done so, and the time that others may need to get the event
     * of the grant where hundreds of leases end together.
     */
    private long front(long latency) {
        return FRONT * spacing(latency) + lease / 50;
    }

    /**
     * Returns the time over which the turns of the others are spread. It is so short that a small group whose front has died has a leader within a fifth
     * of a lease, also over a slow link.
     */
    private long window(int rank, long latency) {
        return Math.min(lease / 3, (rank - FRONT + 1) * Math.min(8 * answer(latency), lease / 50));
    }

    private long unordered() {
        return lease / 10;
    }

    /** Returns the next possible moment of a process. Monotonic clocks of a host have the same origin, so each process has its own offset. */
    private long onGrid(long time, int spread) {
        long grid = grid();
        long own = Math.floorMod(spread, 1024) * grid / 1024;
        return time + Math.floorMod(own - time, grid);
    }

    private long grid() {
        return lease / 150;
    }

    /** Returns a part of a length, evenly distributed also where the spreads of processes differ little. */
    private static long share(long length, int spread) {
        return length / 65_536 * ((spread * 0x9E3779B9) >>> 16);
    }
}
