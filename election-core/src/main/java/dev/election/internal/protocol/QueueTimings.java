package dev.election.internal.protocol;

import java.util.OptionalInt;

/**
 * When a follower asks by its place in the queue, so that a thousand of them never ask at a time. Those at the front ask one after
 * the other. All others follow spread over a time that grows with their number, and hear before their turn that somebody leads. Where the
 * store keeps no order, each asks at a time of its own within a tenth of a lease.
 *
 * @param lease how long a lease lasts, in nanoseconds
 */
public record QueueTimings(long lease) {

    private static final int FRONT = 2;
    private static final long SHORTEST_ANSWER = 3_000_000;

    /**
     * When it is a follower's turn to ask for a lease that is free from then on. The spread is the same for all elections of a process,
     * and the time one of 150 a lease: so a process with many elections asks for those that end together at one moment.
     */
    long turnAt(long free, OptionalInt rank, long latency, int spread) {
        if (rank.isEmpty()) {
            return onGrid(free + share(unordered(), spread), spread);
        }
        int place = rank.getAsInt();
        return place < FRONT
                ? free + place * spacing(latency)
                : onGrid(free + front(latency) + share(window(place, latency), spread), spread);
    }

    /** How long after the end of a lease that turn comes at most. */
    long longestDelay(OptionalInt rank, long latency) {
        if (rank.isEmpty()) {
            return unordered() + grid();
        }
        int place = rank.getAsInt();
        return place < FRONT ? place * spacing(latency) : front(latency) + window(place, latency) + grid();
    }

    /**
     * When to ask again for the sake of the place in the queue, which the store keeps for three leases. Without news that moves it, the
     * next question comes earlier.
     */
    long askAgainBy(long askedAt, int spread) {
        return askedAt + lease / 5 * 6 + share(lease / 10 * 3, spread);
    }

    /**
     * The next at the front hears of a grant to the one before if the store answers it as fast as lately, also where it grants hundreds of
     * leases at a time.
     */
    private long spacing(long latency) {
        return Math.max(answer(latency), lease / 100);
    }

    private long answer(long latency) {
        return Math.min(Math.max(SHORTEST_ANSWER, latency), lease / 20);
    }

    /**
     * How long those at the front have the lease to themselves: until the last of them has asked, and for as long again as others may need
     * to hear of it where hundreds of leases end at a time.
     */
    private long front(long latency) {
        return FRONT * spacing(latency) + lease / 50;
    }

    /** Grows slowly enough that a small group whose front has died has a leader within a fifth of a lease, also over a slow link. */
    private long window(int rank, long latency) {
        return Math.min(lease / 3, (rank - FRONT + 1) * Math.min(8 * answer(latency), lease / 50));
    }

    private long unordered() {
        return lease / 10;
    }

    /** Processes on one host count their clocks from the same moment, so each has its own grid. */
    private long onGrid(long time, int spread) {
        long grid = grid();
        long own = Math.floorMod(spread, 1024) * grid / 1024;
        return time + Math.floorMod(own - time, grid);
    }

    private long grid() {
        return lease / 150;
    }

    /** Of an even distribution, also where the spreads of processes differ little. */
    private static long share(long length, int spread) {
        return length / 65_536 * ((spread * 0x9E3779B9) >>> 16);
    }
}
