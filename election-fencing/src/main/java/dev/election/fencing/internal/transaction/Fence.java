package dev.election.fencing.internal.transaction;

import dev.election.CurrentWork;
import dev.election.Election;
import dev.election.LeaderWork;
import dev.election.support.PartitionName;

/**
 * The fence that a method declares.
 *
 * @param resource what its transaction writes
 * @param election whose leader may write it
 */
public record Fence(String resource, String election) {

    /**
     * The fence of a call by this thread. In the work of a partition one that names no election is that of the partition, since the tokens of two
     * partitions can't be compared.
     */
    Fence ofThisThread() {
        return !election.equals(Election.DEFAULT)
                ? this
                : CurrentWork.get()
                        .innermost()
                        .flatMap(LeaderWork::partition)
                        .map(partition -> PartitionName.of(partition.group(), partition.index()))
                        .map(name -> new Fence(resource + "@" + name, name))
                        .orElse(this);
    }
}
