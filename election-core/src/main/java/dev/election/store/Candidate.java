package dev.election.store;

import dev.election.NodeInfo;

/**
 * A candidate: one attempt of a node to lead an election.
 *
 * @param election the name of the election
 * @param candidacy the id of this one attempt of the node to lead; never used again once it has released or lost the lease.
 *     The lease belongs to it, not to the node
 * @param node its node
 */
public record Candidate(String election, String candidacy, NodeInfo node) {}
