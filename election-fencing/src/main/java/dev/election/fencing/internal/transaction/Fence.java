package dev.election.fencing.internal.transaction;

/**
 * The fence that a method declares.
 *
 * @param resource what its transaction writes
 * @param election whose leader may write it
 */
public record Fence(String resource, String election) {}
