package dev.election.redis;

/**
 * How many renewals share a script. Redis does nothing else while a script runs, and how long one takes depends on the machine and on the
 * build of Redis: what the scripts say of it decides how large the next ones are.
 */
final class BatchSize {

    /** In a Redis that takes no longer than 17 us for each. */
    static final int MOST = 250;

    /** Before anything is known. Many a Redis takes half of the 28 us that are left for each, or less. */
    static final int FIRST = 150;

    /** In one that takes 400 us and more. */
    static final int LEAST = 10;

    /** Within the script. Redis needs a tenth of it more to hand over the arguments and the replies: together about 5 ms. */
    private static final double LONGEST_MICROS = 4250;

    /** One script that was interrupted says little of the next: it counts as no more than twice the usual, and each as a quarter. */
    private static final double WEIGHT = 0.25;

    private double microsOfOne = LONGEST_MICROS / FIRST;

    /** Of the next script. */
    synchronized int renewals() {
        return (int) Math.round(LONGEST_MICROS / microsOfOne);
    }

    /** A script with so much to do as that many renewals has run for so long. */
    synchronized void took(double renewals, long micros) {
        // The clock of a server may be set meanwhile, and what very few requests take says nothing of many.
        if (micros > 0 && renewals > LEAST / 2.0) {
            double measured = Math.min(micros / renewals, 2 * microsOfOne);
            double learned = microsOfOne + WEIGHT * (measured - microsOfOne);
            microsOfOne = Math.max(LONGEST_MICROS / MOST, Math.min(LONGEST_MICROS / LEAST, learned));
        }
    }
}
