package dev.election.internal.steering;

import java.time.Duration;

/** A time that doubles each time, up to an hour. */
public final class Doubling {

    public static final Duration LONGEST = Duration.ofHours(1);

    /** A millisecond becomes an hour. */
    private static final int MOST = 22;

    private Doubling() {}

    /** The first time, doubled so often. */
    public static Duration of(Duration first, long times) {
        Duration doubled = first.multipliedBy(1L << Math.min(times, MOST));
        return doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
    }
}
