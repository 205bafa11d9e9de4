package dev.election.fencing.internal;

/**
 * What a fenced method says.
 *
 * @param resource what its transaction writes
 * @param election whose leader may write it
 */
record Fence(String resource, String election) {}
