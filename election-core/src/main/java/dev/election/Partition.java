package dev.election;

/**
 * The partition whose work a thread does.
 *
 * @param group the name of its group
 * @param index its number in the group, from 0
 * @param count the number of partitions of the group
 * @param token the token of the leadership under which the work was admitted
 */
public record Partition(String group, int index, int count, FencingToken token) {

    /**
     * The partition of the leader work of this thread. Other threads have it where {@link CurrentWork} was passed on to them.
     *
     * @throws IllegalStateException if this thread does no work of a partition
     */
    public static Partition current() {
        return CurrentWork.get()
                .partition()
                .orElseThrow(() -> new IllegalStateException(
                        "This thread does no work of a partition: call Partition.current() within a @Partitioned method or"
                                + " PartitionGroup.runIfHeld, and pass the CurrentWork on to other threads"));
    }
}
