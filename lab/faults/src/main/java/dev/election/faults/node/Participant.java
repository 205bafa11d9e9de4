package dev.election.faults.node;

import dev.election.Election;

/** What makes a process take part in elections. */
public interface Participant {

    Election election(String name);

    void start();

    /** Leaves in an orderly way, as on SIGTERM. */
    void leave();
}
