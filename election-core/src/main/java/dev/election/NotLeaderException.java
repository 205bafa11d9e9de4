package dev.election;

import java.util.Optional;

/** Work that only the leader may do was asked of a node that does not lead. */
public class NotLeaderException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String election;

    /**
     * @param election the name of the election
     * @param leader who leads instead, if known
     */
    public NotLeaderException(String election, Optional<Leader> leader) {
        super("This node does not lead the election '" + election + "'"
                + leader.map(known -> "; " + known.node() + " at " + known.address() + " does")
                        .orElse(", and it is not known who does"));
        this.election = election;
    }

    /** The name of the election. */
    public String getElection() {
        return election;
    }
}
