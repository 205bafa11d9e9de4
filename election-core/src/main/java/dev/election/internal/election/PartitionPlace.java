package dev.election.internal.election;

import dev.election.FencingToken;
import dev.election.Partition;

/**
 * The partition that an election is.
 *
 * @param group the name of the group
 * @param index the number of the partition
 * @param count the number of partitions of the group
 */
public record PartitionPlace(String group, int index, int count) {

    Partition under(FencingToken token) {
        return new Partition(group, index, count, token);
    }
}
