package dev.election.protocol;

import dev.election.store.Candidate;

/**
 * Who this node is in one election.
 *
 * @param election the name of the election
 * @param node the id of the node
 * @param address where it can be reached
 * @param instance random and different for every start of the process, so that two processes with one node id are told apart
 * @param application the name of its application, empty if it has none
 */
public record Self(String election, String node, String address, String instance, String application) {

    public Self(String election, String node, String address, String instance) {
        this(election, node, address, instance, "");
    }

    public Candidate candidate(long candidacy) {
        return new Candidate(election, instance + "." + candidacy, node, address, application);
    }
}
