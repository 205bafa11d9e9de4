package dev.election.partitions;

import dev.election.Election;
import dev.election.Leader;
import dev.election.Partition;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Partitions that share one kind of work. Queries are answered from memory without I/O. */
public interface PartitionGroup {

    /** The name of the group. */
    String name();

    /** The number of partitions, as this process was configured. */
    int count();

    /** Whether each process leads one partition at most. Such a group has no keys, and with fewer processes some partitions have no leader. */
    boolean isOnePerProcess();

    /**
     * The number of partitions that the store has for this group, if it is another one: then this process leads none of them, since a key would
     * be in two partitions. Empty while the numbers agree or the store was not asked yet.
     */
    Optional<String> otherCount();

    /**
     * The partition of a key: the CRC-32 of its UTF-8 bytes, as of zlib, modulo the {@link #count}. It is the same in every version and
     * every language.
     *
     * @throws IllegalArgumentException if the key is {@code null}
     * @throws IllegalStateException if a process leads {@linkplain #isOnePerProcess one partition at most}
     */
    int forKey(String key);

    /** The partitions that this process leads now, in their order. */
    default List<Integer> held() {
        return partitions(Election::isLeader);
    }

    /**
     * The partitions of which this process knows no leader, in their order. Where each process leads {@linkplain #isOnePerProcess one at most}, the
     * first of these, as many as there are known processes that lead none and could lead one.
     */
    default List<Integer> withoutLeader() {
        return partitions(election -> election.leader().isEmpty());
    }

    private List<Integer> partitions(Predicate<Election> chosen) {
        return IntStream.range(0, count())
                .filter(index -> chosen.test(election(index)))
                .boxed()
                .toList();
    }

    /**
     * The leader of a partition as this process knows it; empty while it knows none.
     *
     * @throws IllegalArgumentException if there is no such partition
     */
    default Optional<Leader> owner(int index) {
        return election(index).leader();
    }

    /**
     * The election that is the partition.
     *
     * @throws IllegalArgumentException if there is no such partition
     */
    Election election(int index);

    /**
     * Runs the work on this thread if this process leads the partition of the key, as {@link Election#runIfLeader} does. Within it
     * {@link Partition#current()} is that partition.
     *
     * @return whether it ran
     * @throws IllegalArgumentException if the key is {@code null}
     */
    default boolean runIfHeld(String key, Runnable work) {
        return election(forKey(key)).runIfLeader(work);
    }
}
