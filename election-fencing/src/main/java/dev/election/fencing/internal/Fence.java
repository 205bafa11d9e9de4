package dev.election.fencing.internal;

/**
 * The fence that a method declares.
 *
 * @param resource what its transaction writes
 * @param election whose leader may write it
 */
record Fence(String resource, String election) {}
