package dev.election.actuate;

import java.util.Map;

/**
 * This node.
 *
 * @param id its id
 * @param address where it says it can be reached
 * @param metadata what else it tells
 */
public record NodeView(String id, String address, Map<String, String> metadata) {}
