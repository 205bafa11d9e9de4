package dev.election.internal.protocol;

import dev.election.NodeInfo;
import dev.election.store.Candidate;

/**
 * Identity of this node in one election.
 *
 * @param election the name of the election
 * @param info the description of this node for others
 * @param instance random and different after each start, which distinguishes two processes with one node id, and two copies of one process
 */
public record Self(String election, NodeInfo info, String instance) {

    /** Returns the id of the node. */
    public String node() {
        return info.id();
    }

    /** Returns the address of the node. */
    public String address() {
        return info.address();
    }

    /** Returns the name of the application, empty if it has none. */
    public String application() {
        return info.application();
    }

    /** Returns a number by which the times of requests are spread over processes. It is the same in all elections of this process. */
    public int spread() {
        return instance.hashCode();
    }

    /** Returns the candidate of a candidacy, which is one attempt of this node to lead. */
    public Candidate candidate(long candidacy) {
        return new Candidate(election, instance + "." + candidacy, info);
    }
}
