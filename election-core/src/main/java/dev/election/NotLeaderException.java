package dev.election;

import java.util.Optional;

/** Thrown when leader work is requested from a node that does not lead. */
public class NotLeaderException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String election;

    /**
     * @param election the name of the election
     * @param leader the leader, if known
     */
    public NotLeaderException(String election, Optional<Leader> leader) {
        super("This node does not lead the election '" + election + "'"
                + leader.map(known -> "; the leader is " + known.node() + " at " + known.address())
                        .orElse("; the leader is not known"));
        this.election = election;
    }

    /** The name of the election. */
    public String getElection() {
        return election;
    }
}
