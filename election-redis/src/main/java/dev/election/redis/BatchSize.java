package dev.election.redis;

/**
 * Number of renewals that share a script. Redis does nothing else while a script runs, and its duration depends on the machine and on the
 * build of Redis: so the measured durations decide how large the next scripts are.
 */
final class BatchSize {

    /** Largest size, for a Redis that takes 17 us or less for a renewal. */
    static final int MOST = 250;

    /** Size before the first measurement, which leaves 28 us for a renewal. Many a Redis takes half of that or less. */
    static final int FIRST = 150;

    /** Smallest size, for a Redis that takes 400 us or more for a renewal. */
    static final int LEAST = 10;

    /** Longest run of a script. Redis needs another tenth of it to hand over the arguments and the replies: about 5 ms in all. */
    private static final double LONGEST_MICROS = 4250;

    /** Weight of a measurement. One interrupted script says little of the next: so a measurement counts as twice the usual at most, too. */
    private static final double WEIGHT = 0.25;

    private double microsOfOne = LONGEST_MICROS / FIRST;

    /** Number of renewals for the next script. */
    synchronized int renewals() {
        return (int) Math.round(LONGEST_MICROS / microsOfOne);
    }

    /** Records how long a script ran whose work equals that of so many renewals. */
    synchronized void took(double renewals, long micros) {
        // The clock of a server may be set meanwhile, and what very few requests take says nothing of many.
        if (micros > 0 && renewals > LEAST / 2.0) {
            double measured = Math.min(micros / renewals, 2 * microsOfOne);
            double learned = microsOfOne + WEIGHT * (measured - microsOfOne);
            microsOfOne = Math.max(LONGEST_MICROS / MOST, Math.min(LONGEST_MICROS / LEAST, learned));
        }
    }
}
