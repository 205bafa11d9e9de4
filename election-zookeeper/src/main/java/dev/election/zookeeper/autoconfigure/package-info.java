/**
 * The wiring of the store over ZooKeeper in a Spring Boot application.
 *
 * <p>{@link ElectionZooKeeperAutoConfiguration} creates the store with the ensemble of the properties.
 */
@NullMarked
package dev.election.zookeeper.autoconfigure;

import org.jspecify.annotations.NullMarked;
