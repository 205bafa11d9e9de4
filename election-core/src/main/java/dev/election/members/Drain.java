package dev.election.members;

import java.time.Instant;

/**
 * An order that a node leads nothing until it is revoked. The store keeps it under the id of the node, which need not be there.
 *
 * @param node the id of the node
 * @param requestedBy who gave the order, and why if that was said
 * @param since when, by the clock of the process that passed it on
 */
public record Drain(String node, String requestedBy, Instant since) {}
