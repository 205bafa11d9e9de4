package dev.election.internal.protocol;

import dev.election.store.Candidate;

/**
 * One request to the store. A reply counts however late it comes and whether others were sent meanwhile, until the lease that counts
 * from this very request has ended, and unless news has come that it may not know of.
 *
 * @param number tells it from all others of this node
 * @param candidate for whom it was made; a node that was started again is another one
 * @param sentAt when; a lease counts from here, never from the reply
 */
public record Attempt(long number, Candidate candidate, long sentAt) {}
