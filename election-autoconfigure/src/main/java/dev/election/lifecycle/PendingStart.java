package dev.election.lifecycle;

import java.time.Instant;

/**
 * A start of the application that is not through, so that this node is not a candidate yet.
 *
 * @param waitsFor what has not returned
 * @param action what to do if it never will
 * @param since since when this node waits for it, by its clock
 */
public record PendingStart(String waitsFor, String action, Instant since) {}
