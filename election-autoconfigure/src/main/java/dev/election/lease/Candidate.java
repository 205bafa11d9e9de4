package dev.election.lease;

/**
 * Who asks.
 *
 * @param election the name of the election
 * @param candidacy the id of this one attempt of the node to lead; never used again once it has released or lost the lease.
 *     The lease belongs to it, not to the node
 * @param node the id of the node
 * @param address where the node says it can be reached
 */
public record Candidate(String election, String candidacy, String node, String address) {}
