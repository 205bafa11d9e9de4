package dev.election.faults.world;

import dev.election.faults.node.StoreAddress;

/** The store of one group of nodes: Redis, a database, Kubernetes, etcd or ZooKeeper. */
public sealed interface Topology
        permits Standalone, Sentinels, Cluster, Database, DatabasePair, DatabaseAddress, Kubernetes, OneMember {

    /** Where the node in that place finds it. */
    StoreAddress addressFor(int place);

    /** Waits until every part of it is as it should be. */
    void awaitHealth();

    /** Whether nodes hear each other's messages, without which leadership can't be handed to one of them. */
    default boolean carriesMessages() {
        return true;
    }
}
