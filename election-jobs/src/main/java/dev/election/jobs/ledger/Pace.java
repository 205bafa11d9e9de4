package dev.election.jobs.ledger;

import java.time.Duration;

/**
 * The pace at which a ledger is written.
 *
 * @param firstPause how long changes are collected that may be written later, and the first pause after a failure
 * @param worth for how long after its leadership pending entries are still written for the successor
 * @param outlasts whether entries are added to the ledger of a newer leader if this one can't write any more
 */
record Pace(Duration firstPause, Duration worth, boolean outlasts) {

    static Pace ofClaims(Duration worth) {
        return new Pace(Duration.ofMillis(500), worth, false);
    }

    static Pace ofRuns() {
        return new Pace(Duration.ofSeconds(1), Duration.ZERO, true);
    }
}
