package dev.election.support;

import java.util.Map;
import java.util.Set;

/** Names of the elections that are partitions: the name of their group, a dot and their number. */
public final class PartitionName {

    /** The highest number of partitions of a group. */
    public static final int MOST = 256;

    /** The begin of the name of the capability by which a member says that it takes part in a group, and which count it has read. */
    public static final String CAPABILITY = "partitions.";

    /** The name of the ledgers with the counts of groups, each that of the first partition. */
    public static final String LEDGER = "partitions";

    /** The name of the entry with the count in such a ledger. */
    public static final String COUNT = "count";

    private static final String LAST = "." + (MOST - 1);

    private PartitionName() {}

    /** Returns the name of the election of a partition. */
    public static String of(String group, int index) {
        return group + "." + index;
    }

    /** Returns the name of the group of which an election with that name can be a partition; empty if it can be none. */
    public static String groupOf(String election) {
        int dot = election.lastIndexOf('.');
        int digits = election.length() - dot - 1;
        boolean isIndex = dot > 0 && digits > 0 && digits < LAST.length();
        for (int i = dot + 1; isIndex && i < election.length(); i++) {
            isIndex = election.charAt(i) >= '0' && election.charAt(i) <= '9';
        }
        boolean isPadded = digits > 1 && election.charAt(dot + 1) == '0';
        return isIndex && !isPadded ? election.substring(0, dot) : "";
    }

    /** Returns the group that stands for an election where all of its partitions are shown together; the election itself if it is no partition. */
    public static String shown(String election, Set<String> groups) {
        String group = groupOf(election);
        return groups.contains(group) ? group : election;
    }

    /** Returns the number of the partition that an election with the name of one is. */
    public static int indexOf(String election) {
        return Integer.parseInt(election.substring(election.lastIndexOf('.') + 1));
    }

    /**
     * Returns the setting of an election.
     *
     * @param settings those of single elections, by name, and of all partitions of a group
     * @param others that of all others
     */
    public static boolean setting(Map<String, Boolean> settings, String election, boolean others) {
        if (settings.isEmpty()) {
            return others;
        }
        Boolean own = settings.get(election);
        return own != null ? own : settings.getOrDefault(ofAll(groupOf(election)), others);
    }

    /** Returns the name under which settings of all partitions of a group are kept. */
    public static String ofAll(String group) {
        return group + ".*";
    }
}
