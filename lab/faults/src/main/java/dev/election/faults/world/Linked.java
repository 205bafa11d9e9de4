package dev.election.faults.world;

import dev.election.harness.Link;

/** A store that each node reaches over a link of its own. */
public interface Linked {

    /** The link of the node in that place. */
    Link link(int place);
}
