package dev.election;

import java.time.Instant;

/**
 * The node that leads an election, wherever it runs.
 *
 * @param node the id of the node
 * @param address where the node says it can be reached
 * @param token the token of this leadership
 * @param since when the leadership was granted, by the clock of the store
 */
public record Leader(String node, String address, FencingToken token, Instant since) {}
