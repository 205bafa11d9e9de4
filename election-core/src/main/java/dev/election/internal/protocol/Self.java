package dev.election.internal.protocol;

import dev.election.NodeInfo;
import dev.election.store.Candidate;

/**
 * Who this node is in one election.
 *
 * @param election the name of the election
 * @param info what it tells the others of itself
 * @param instance random and different for every start of taking part, so that two processes with one node id are told apart, and two copies of
 *     one process
 */
public record Self(String election, NodeInfo info, String instance) {

    /** The id of the node. */
    public String node() {
        return info.id();
    }

    /** Where it can be reached. */
    public String address() {
        return info.address();
    }

    /** The name of its application, empty if it has none. */
    public String application() {
        return info.application();
    }

    /** By what this process differs from others in the times at which it asks: the same in all of its elections. */
    public int spread() {
        return instance.hashCode();
    }

    /** One attempt of this node to lead. */
    public Candidate candidate(long candidacy) {
        return new Candidate(election, instance + "." + candidacy, info);
    }
}
