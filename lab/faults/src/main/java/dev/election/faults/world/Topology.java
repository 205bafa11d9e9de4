package dev.election.faults.world;

import dev.election.faults.node.StoreAddress;
import dev.election.harness.RedisProcess;
import java.io.IOException;

/** The Redis of one group of nodes. */
public sealed interface Topology permits Standalone, Sentinels, Cluster {

    /** Where the node in that place finds it. */
    StoreAddress addressFor(int place);

    /** Waits until every part of it is as it should be. */
    void awaitHealth();

    /** Whether nodes hear each other's messages, without which leadership can't be handed to one of them. */
    default boolean carriesMessages() {
        return true;
    }

    /** The server that holds the lease now. */
    RedisProcess primary() throws IOException;
}
