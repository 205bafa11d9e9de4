package dev.election.benchmarks;

import java.util.Collection;

/**
 * Counts that nodes report of themselves.
 *
 * @param led how many elections they lead now
 * @param lost how many leaderships they have lost that they did not give away
 * @param timedOut how often a request was not answered in time, as the events say it
 * @param warnings how many lines they have logged at the level WARN or above
 */
record Tally(long led, long lost, long timedOut, long warnings) {

    static final Tally NOTHING = new Tally(0, 0, 0, 0);

    static Tally sum(Collection<Tally> tallies) {
        return tallies.stream().reduce(NOTHING, Tally::plus);
    }

    static Tally of(Report report) {
        return new Tally(report.number(0), report.number(1), report.number(2), report.number(3));
    }

    Tally plus(Tally other) {
        return new Tally(led + other.led, lost + other.lost, timedOut + other.timedOut, warnings + other.warnings);
    }

    String line() {
        return led + " " + lost + " " + timedOut + " " + warnings;
    }
}
