package dev.election.engine;

/**
 * One request to the store. Only the reply to the latest one counts.
 *
 * @param number tells it from all others of this node
 * @param candidacy for which it was made
 * @param sentAt when; a lease counts from here, never from the reply
 */
record Attempt(long number, long candidacy, long sentAt) {}
