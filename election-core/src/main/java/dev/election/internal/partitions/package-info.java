/**
 * Partitions: a part of the engine that lets this process take part in a group only with the count that the store has.
 *
 * <p>Begin with {@link dev.election.internal.partitions.GroupCount}, one for each group. It holds the elections of the group until it has read the count in
 * the ledger of the first partition. Where there is none, it lets this process campaign for the first partition alone; its leader writes the count before
 * it admits work, as a recovery. {@code CountVerdict} says what follows from what was read, as a pure function.
 *
 * <p>A store may lose the count. Members tell each other the count that they have read, as a capability, and one that knows none does not write it before
 * all others had time to tell theirs. A leader of the first partition writes it again when a member asks.
 *
 * <p>Where a process leads one partition at most, {@link dev.election.internal.election.ElectionRunner#leadOneOf} lets it observe the others meanwhile.
 *
 * <p>{@link dev.election.internal.partitions.LocalPartitions} answers callers on any thread. The rest runs on the loop.
 */
@NullMarked
package dev.election.internal.partitions;

import org.jspecify.annotations.NullMarked;
