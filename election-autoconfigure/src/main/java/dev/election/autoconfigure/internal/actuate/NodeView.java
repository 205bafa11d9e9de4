package dev.election.autoconfigure.internal.actuate;

import java.util.Map;

/**
 * This node.
 *
 * @param id its id
 * @param address its address
 * @param metadata further values from {@code election.node.metadata}
 */
public record NodeView(String id, String address, Map<String, String> metadata) {}
