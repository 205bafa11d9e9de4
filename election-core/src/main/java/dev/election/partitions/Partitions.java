package dev.election.partitions;

import java.util.Collection;

/** The groups of partitions in which this process takes part. */
public interface Partitions {

    /**
     * The group of that name.
     *
     * @throws IllegalArgumentException if this process was configured without that group
     */
    PartitionGroup of(String group);

    /** All groups, by name. */
    Collection<PartitionGroup> all();
}
