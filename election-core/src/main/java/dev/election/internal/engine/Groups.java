package dev.election.internal.engine;

import dev.election.Election;
import dev.election.internal.election.PartitionPlace;
import dev.election.support.PartitionName;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The groups of partitions of this process.
 *
 * @param counts the number of partitions of each, by the name of the group
 * @param onePerProcess the groups of which this process leads one partition at most
 */
public record Groups(Map<String, Integer> counts, Set<String> onePerProcess) {

    /** No group. */
    public static final Groups NONE = new Groups(Map.of(), Set.of());

    /** The highest number of characters of a group's name: so that it fits in the name of an election and of what members say of it. */
    private static final int LONGEST = 48;

    /** The beginning of the names of the elections of tasks that run once. */
    private static final String ONCE = "once";

    /** The most partitions of all groups over a store that renews each of them by a request of its own. */
    private static final int MOST_APART = 32;

    /**
     * Throws an {@link IllegalArgumentException} for a name that no group can have, and for a number of partitions that none can have over any
     * store.
     */
    public Groups {
        counts = Map.copyOf(counts);
        onePerProcess = Set.copyOf(onePerProcess);
        if (!counts.keySet().containsAll(onePerProcess)) {
            throw new IllegalArgumentException(
                    "Each of " + onePerProcess + " must be a group of partitions with a count,"
                            + " since a process leads one of its partitions at most");
        }
        counts.forEach((group, count) -> {
            if (!Election.isName(group) || group.length() > LONGEST) {
                throw new IllegalArgumentException("The name of a group of partitions must be 1 to " + LONGEST
                        + " of A-Z a-z 0-9 . _ : - but is '" + group + "'");
            }
            if (group.equals(ONCE)) {
                throw new IllegalArgumentException("No group of partitions can be named '" + ONCE
                        + "': the elections of tasks that run once begin with that name");
            }
            if (count < 1 || count > PartitionName.MOST) {
                throw new IllegalArgumentException("The group '" + group + "' must have 1 to " + PartitionName.MOST
                        + " partitions, but has " + count);
            }
        });
    }

    /** Returns the elections of a group. */
    public List<String> elections(String group) {
        return IntStream.range(0, counts.getOrDefault(group, 0))
                .mapToObj(index -> PartitionName.of(group, index))
                .toList();
    }

    /** Returns the names with each group in place of its partitions. */
    Collection<String> together(Collection<String> elections) {
        return elections.stream()
                .map(election -> PartitionName.shown(election, counts.keySet()))
                .distinct()
                .toList();
    }

    /** Returns what stands behind the name of a group in a line of the log; empty behind an election. */
    String remark(String name) {
        Integer count = counts.get(name);
        return count == null ? "" : " (" + count + " partitions)";
    }

    /** Refuses more partitions than the store renews, and a process observes, at little cost. */
    void requireFewEnough(boolean sendsTogether) {
        int observed = onePerProcess.stream()
                .mapToInt(group -> counts.getOrDefault(group, 0))
                .sum();
        if (observed > MOST_APART) {
            throw new IllegalArgumentException(
                    "The groups '" + String.join("', '", new TreeSet<>(onePerProcess)) + "' have "
                            + observed + " partitions, but can have at most " + MOST_APART
                            + " together, since a process that leads one observes each other one by a request of its own");
        }
        int all = counts.values().stream().mapToInt(Integer::intValue).sum();
        if (all > MOST_APART && !sendsTogether) {
            throw new IllegalArgumentException("The groups '"
                    + String.join("', '", new TreeMap<>(counts).keySet()) + "' have " + all
                    + " partitions, but can have at most " + MOST_APART
                    + " together over this store, which renews each of them by a request of its own: use fewer, or a Redis"
                    + " server or a Cluster with a hash tag, which renews all of them by one");
        }
    }

    /** Refuses elections with the name of a group. */
    void requireNoneIn(Collection<String> elections) {
        elections.forEach(this::placeOf);
    }

    /** Refuses a minimum of members of a group, and of a partition whose candidates are observers of it while they lead another. */
    void requireNoMinimumOf(Collection<String> elections) {
        requireNoneIn(elections);
        elections.forEach(election -> {
            if (onePerProcess.contains(PartitionName.groupOf(election))) {
                throw new IllegalArgumentException("'" + election
                        + "' can have no minimum of members: a process that leads another partition of '"
                        + PartitionName.groupOf(election) + "' is an observer of it, which does not count");
            }
        });
    }

    /** Refuses an election that is a partition, or has the name of a group. */
    void requireNoPartition(String election) {
        if (placeOf(election) != null) {
            throw new IllegalArgumentException("The election '" + election
                    + "' can't be led with another: it is a partition, which is shared out");
        }
    }

    /**
     * Returns the partition that an election is, {@code null} if it is none.
     *
     * @throws IllegalArgumentException if its name is that of a group, or of a partition that the group does not have
     */
    @Nullable
    PartitionPlace placeOf(String election) {
        if (counts.containsKey(election)) {
            throw new IllegalArgumentException("'" + election
                    + "' is a group of partitions and no election: give one of them another name, or use the elections of"
                    + " its partitions");
        }
        String group = PartitionName.groupOf(election);
        Integer count = counts.get(group);
        if (count == null) {
            return null;
        }
        int index = PartitionName.indexOf(election);
        if (index >= count) {
            throw new IllegalArgumentException("The group '" + group + "' has " + count + " partitions, and no '"
                    + election + "': the first one is '" + PartitionName.of(group, 0) + "'");
        }
        return new PartitionPlace(group, index, count);
    }
}
