package dev.election.faults.node;

import dev.election.Election;

/** What makes a process take part in an election. */
public interface Participant {

    Election election();

    void start();

    /** Leaves in an orderly way, as on SIGTERM. */
    void leave();
}
