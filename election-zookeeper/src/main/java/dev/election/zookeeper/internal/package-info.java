/** The implementation of the store over ZooKeeper, by the asynchronous API of its client. */
@NullMarked
package dev.election.zookeeper.internal;

import org.jspecify.annotations.NullMarked;
