package dev.election.internal.protocol;

import dev.election.store.Candidate;

/**
 * One request to the store. Its reply counts however late it arrives and even if others were sent meanwhile, until a lease from {@code sentAt} has
 * ended, unless {@link News} has arrived that the reply may not reflect.
 *
 * @param number identifies the attempt among all of this node
 * @param candidate the candidate that made it; a node that was started again is another one
 * @param sentAt when the request was sent; a lease counts from here, never from the reply
 */
public record Attempt(long number, Candidate candidate, long sentAt) {}
