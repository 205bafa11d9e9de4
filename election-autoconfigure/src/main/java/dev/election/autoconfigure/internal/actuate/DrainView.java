package dev.election.autoconfigure.internal.actuate;

import dev.election.members.Drain;
import java.time.Instant;

/**
 * The order that a node leads nothing, as the endpoint shows it.
 *
 * @param requestedBy who gave it
 * @param since when
 */
record DrainView(String requestedBy, Instant since) {

    static DrainView of(Drain drain) {
        return new DrainView(drain.requestedBy(), drain.since());
    }
}
