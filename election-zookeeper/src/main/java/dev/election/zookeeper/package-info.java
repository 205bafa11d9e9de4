/**
 * Leases in ZooKeeper: {@link ZooKeeperLeaseStore} keeps each election in a node of an ensemble. {@link ZooKeeperAccess} says how the ensemble is
 * reached.
 */
@NullMarked
package dev.election.zookeeper;

import org.jspecify.annotations.NullMarked;
