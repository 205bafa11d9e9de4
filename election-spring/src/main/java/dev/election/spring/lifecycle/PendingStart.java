package dev.election.spring.lifecycle;

import java.time.Instant;

/**
 * The start of an application that is not complete, so that its node is not a candidate yet.
 *
 * @param waitsFor the call that has not returned
 * @param action what to do if it is not meant to return
 * @param since when the wait began, by the clock of this node
 */
public record PendingStart(String waitsFor, String action, Instant since) {}
