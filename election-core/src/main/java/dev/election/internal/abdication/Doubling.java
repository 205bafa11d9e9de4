package dev.election.internal.abdication;

import java.time.Duration;

/** A pause that doubles each time, up to an hour. */
public final class Doubling {

    public static final Duration LONGEST = Duration.ofHours(1);

    /** Most doublings: as many make an hour of a millisecond. */
    private static final int MOST = 22;

    private Doubling() {}

    /** Returns the first pause after that many doublings. */
    public static Duration of(Duration first, long times) {
        Duration doubled = first.multipliedBy(1L << Math.min(times, MOST));
        return doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
    }
}
