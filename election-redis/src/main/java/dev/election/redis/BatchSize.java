package dev.election.redis;

import java.time.Duration;

/**
 * How many renewals share a script. Redis does nothing else while a script runs, and how long one takes depends on the machine and on the
 * build of Redis: what the scripts say of it decides how large the next ones are.
 */
final class BatchSize {

    /** Before anything is known, and in a Redis that takes no longer than 17 us for each. */
    static final int FIRST = 100;

    static final int MOST = 250;
    static final int LEAST = 10;

    /** Within the script. Redis needs a tenth of it more to hand over the arguments and the replies: 5 ms are not reached. */
    private static final Duration LONGEST = Duration.ofNanos(4_250_000);

    /** One script that was interrupted says little of the next: it counts as no more than twice the usual, and each as a quarter. */
    private static final double WEIGHT = 0.25;

    private double microsOfOne = micros(LONGEST) / FIRST;

    /** Of the next script. */
    synchronized int renewals() {
        return (int) Math.min(MOST, Math.max(LEAST, micros(LONGEST) / microsOfOne));
    }

    /** A script with so much to do as that many renewals has run for so long. */
    synchronized void took(int renewals, long micros) {
        // The clock of a server may be set meanwhile, and what few requests take says nothing of many.
        if (micros > 0 && renewals >= LEAST) {
            double measured = Math.min((double) micros / renewals, 2 * microsOfOne);
            microsOfOne += WEIGHT * (measured - microsOfOne);
        }
    }

    private static double micros(Duration duration) {
        return duration.toNanos() / 1000.0;
    }
}
