/**
 * Partitions: work that the processes of an application share, each part of it done by one process at a time.
 *
 * <p>A partition is an election, {@code <group>.<index>}. {@link Partitions} has the groups of this process, a {@link PartitionGroup} finds the
 * partition of a key and says who leads it, and a {@link dev.election.Partition} is the one whose work a thread does. Begin to read with
 * {@link PartitionGroup}.
 *
 * <p>The number of partitions is a fact of the store: a process with another one leads none of them.
 */
@NullMarked
package dev.election.partitions;

import org.jspecify.annotations.NullMarked;
