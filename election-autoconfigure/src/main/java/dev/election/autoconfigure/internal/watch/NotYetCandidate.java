package dev.election.autoconfigure.internal.watch;

import java.time.Instant;
import java.util.Optional;

/**
 * The reason for which this node takes part in no election yet.
 *
 * @param waitsFor what it waits for
 * @param action what to do if that never happens
 * @param since when the wait began, by the clock of this node
 */
public record NotYetCandidate(String waitsFor, String action, Instant since) {

    /** Tells whether this node takes part. */
    @FunctionalInterface
    public interface Source {

        /** Why this node does not take part, empty if it does. */
        Optional<NotYetCandidate> get();
    }
}
