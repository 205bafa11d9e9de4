package dev.election.members;

import dev.election.support.PartitionName;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The place of a member in the order of succession, as far as it is decided for this member alone. Only members with steering have one.
 *
 * @param priority in elections without a priority of their own
 * @param priorities in single elections, by name
 * @param drain the order that it leads nothing, empty if there is none
 * @param downtime why its health is down, empty if it is up or not watched
 * @param upDespite leaders that are down, by instance, with the beginning of their downtime: after it had learned of that, this member was
 *     found up. Only those that lead an election in which it takes part
 * @param balance whether it balances elections without a setting of their own
 * @param balances whether it balances single elections, by name; those of a group of partitions by {@code <group>.*}
 */
public record Standing(
        int priority,
        Map<String, Integer> priorities,
        Optional<Drain> drain,
        Optional<Downtime> downtime,
        Map<String, Instant> upDespite,
        boolean balance,
        Map<String, Boolean> balances) {

    public Standing {
        balances = Map.copyOf(balances);
        priorities = Map.copyOf(priorities);
        upDespite = Map.copyOf(upDespite);
    }

    /** Creates the standing of a member that is not down. */
    public Standing(int priority, Map<String, Integer> priorities, Optional<Drain> drain) {
        this(priority, priorities, drain, Optional.empty(), Map.of(), false, Map.of());
    }

    /** Creates the standing of a member that is neither drained nor down. */
    public Standing(int priority, Map<String, Integer> priorities) {
        this(priority, priorities, Optional.empty());
    }

    /** The priority in one election. */
    public int priorityIn(String election) {
        return priorities.getOrDefault(election, priority);
    }

    /** Whether the member balances an election. */
    public boolean balances(String election) {
        return PartitionName.setting(balances, election, balance);
    }

    /** Returns this standing with another order to lead nothing, or without one. */
    public Standing drained(Optional<Drain> newDrain) {
        return new Standing(priority, priorities, newDrain, downtime, upDespite, balance, balances);
    }

    /** Returns this standing with another health. */
    public Standing ofHealth(Optional<Downtime> newDowntime, Map<String, Instant> newUpDespite) {
        return new Standing(priority, priorities, drain, newDowntime, newUpDespite, balance, balances);
    }

    /** Returns this standing, with elections balanced or not. */
    public Standing balanced(boolean all, Map<String, Boolean> single) {
        return new Standing(priority, priorities, drain, downtime, upDespite, all, single);
    }
}
