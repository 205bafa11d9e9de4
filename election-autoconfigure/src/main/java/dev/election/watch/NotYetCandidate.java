package dev.election.watch;

import java.time.Instant;
import java.util.Optional;

/**
 * Why this node takes part in no election yet.
 *
 * @param waitsFor what it waits for
 * @param action what to do if it waits in vain
 * @param since since when, by the clock of this node
 */
public record NotYetCandidate(String waitsFor, String action, Instant since) {

    /** Knows whether this node takes part. */
    @FunctionalInterface
    public interface Source {

        /** Of a node that takes part: one that does. */
        Source NONE = Optional::empty;

        /** Why it does not, empty if it does. */
        Optional<NotYetCandidate> get();
    }
}
