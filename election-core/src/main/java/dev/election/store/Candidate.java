package dev.election.store;

/**
 * Who asks.
 *
 * @param election the name of the election
 * @param candidacy the id of this one attempt of the node to lead; never used again once it has released or lost the lease.
 *     The lease belongs to it, not to the node
 * @param node the id of the node
 * @param address where the node says it can be reached
 * @param application the name of its application, by which two applications that share an election by mistake are found; empty if
 *     it has none
 */
public record Candidate(String election, String candidacy, String node, String address, String application) {

    /** One of an application without a name. */
    public Candidate(String election, String candidacy, String node, String address) {
        this(election, candidacy, node, address, "");
    }
}
