package dev.election.internal.succession;

import dev.election.members.Member;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * Which member each election of a group should go to where a member leads one of them at most. An election without a leader goes to its first candidate.
 * Then each leader, the worst one first, has the first successor that is left. Equal copies of the members give equal answers.
 */
public final class GroupSuccession {

    private GroupSuccession() {}

    /**
     * Returns the instances to which the leader of an election hands nothing over: those that lead one of the group, and those to which another one
     * should go before.
     *
     * @param group the order of succession of each election, in the same sequence in all processes
     * @param leaders the leader of each election that has one, by its name
     * @param passed how many of the worst leaders have let their turn to hand over pass
     */
    public static Set<String> takenFrom(
            String election, List<Succession> group, Map<String, Member> leaders, long passed) {
        Set<String> taken = new HashSet<>();
        leaders.values().forEach(leader -> taken.add(leader.instance()));
        group.stream()
                .filter(order -> !leaders.containsKey(order.election()))
                .forEach(free -> free.without(taken).first().ifPresent(member -> taken.add(member.instance())));
        Function<Succession, Member> leaderOf = order -> Objects.requireNonNull(leaders.get(order.election()));
        group.stream()
                .filter(order -> leaders.containsKey(order.election()))
                .sorted(Comparator.comparing(leaderOf, group.get(0).worstFirst(leaders.values())))
                .takeWhile(order -> !order.election().equals(election))
                .skip(passed)
                .forEach(order -> order.without(taken)
                        .insteadOf(leaderOf.apply(order).instance())
                        .ifPresent(member -> taken.add(member.instance())));
        return taken;
    }
}
