package dev.election.internal.succession;

import dev.election.Steering;
import dev.election.members.Member;
import dev.election.members.MemberRole;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The balanced order of all elections that members balance: each of several equal candidates comes first as often as the others, or once more. Whoever
 * leads an election comes first in it as long as that is so. Equal copies of the members give equal orders.
 *
 * <p>An election without a leader goes to its favourite by rendezvous hashing. While one candidate comes first in two more elections than another, one of
 * these moves to the other. So a candidate that joins only gets, and what a candidate led that leaves goes to those with the fewest. A move only ever goes
 * from one with more to one with fewer, so that moves end.
 */
public final class Balance {

    /** The order where nobody balances an election. */
    public static final Balance NONE = new Balance(Map.of(), Map.of());

    /** The number of elections of a member that is gone: nothing moves to it. */
    private static final int GONE = Integer.MAX_VALUE / 2;

    private final Map<String, List<String>> orders;
    private final Map<String, String> leaders;

    private Balance(Map<String, List<String>> orders, Map<String, String> leaders) {
        this.orders = orders;
        this.leaders = leaders;
    }

    /**
     * An election that one of several equal candidates should lead.
     *
     * @param equals the instances, the favourite first
     */
    private record Contest(String election, List<String> equals) {}

    /**
     * Returns the balanced order.
     *
     * @param members all members
     * @param isByChange whether they are in the order of their latest changes
     * @param steering the preferences
     */
    public static Balance of(List<Member> members, boolean isByChange, Steering steering) {
        return isByChange
                ? of(members, steering, true)
                : of(
                        members.stream()
                                .sorted(Comparator.comparing(Member::instance))
                                .toList(),
                        steering,
                        false);
    }

    private static Balance of(List<Member> members, Steering steering, boolean isByChange) {
        Map<String, Set<String>> balancing = new HashMap<>();
        members.forEach(member -> member.standing().ifPresent(standing -> member.roles().keySet().stream()
                .filter(standing::balances)
                .forEach(election -> balancing
                        .computeIfAbsent(election, name -> new HashSet<>())
                        .add(member.instance()))));
        if (balancing.isEmpty()) {
            return NONE;
        }
        Map<String, List<String>> claims = new HashMap<>();
        members.forEach(
                member -> ledBy(member).forEach(election -> claims.computeIfAbsent(election, name -> new ArrayList<>())
                        .add(member.instance())));
        Set<String> silent = silent(members, claims, isByChange);
        Map<String, String> leaders = new HashMap<>();
        claims.forEach((election, claimants) -> claimants.stream()
                .filter(instance -> !silent.contains(instance))
                .forEach(instance -> leaders.put(election, instance)));
        List<Contest> contests = new ArrayList<>();
        new TreeMap<>(balancing).forEach((election, instances) -> {
            List<String> equals = Succession.of(election, members, steering).best().stream()
                    .map(Member::instance)
                    .filter(instances::contains)
                    .filter(instance -> !silent.contains(instance))
                    .sorted(Comparator.<String>comparingLong(instance -> score(election, instance))
                            .reversed()
                            .thenComparing(Comparator.naturalOrder()))
                    .toList();
            if (!equals.isEmpty()) {
                contests.add(new Contest(election, equals));
            }
        });
        return new Balance(orders(contests, leaders), leaders);
    }

    private static List<String> ledBy(Member member) {
        return member.roles().entrySet().stream()
                .filter(role -> role.getValue() == MemberRole.LEADER)
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * Returns the members that are most likely gone: another one has joined later under their id, or others say that they lead most of what these say
     * that they lead. One election may be on its way from one member to another.
     *
     * @param claims who says that it leads an election, by election
     */
    private static Set<String> silent(List<Member> members, Map<String, List<String>> claims, boolean isByChange) {
        Map<String, Long> latest = new HashMap<>();
        members.forEach(member -> latest.merge(member.id(), member.order(), Math::max));
        Set<String> silent = new HashSet<>();
        for (Member member : members) {
            List<String> led = ledBy(member);
            long overtaken = led.stream()
                    .map(election -> claims.getOrDefault(election, List.of()))
                    .filter(claimants -> claimants.size() > 1)
                    .filter(claimants -> !isByChange || claimants.indexOf(member.instance()) < claimants.size() - 1)
                    .count();
            if (2 * overtaken > led.size() || latest.getOrDefault(member.id(), 0L) > member.order()) {
                silent.add(member.instance());
            }
        }
        return silent;
    }

    /** Scores an instance for an election, at random but the same in every process and version. */
    private static long score(String election, String instance) {
        long mixed = ((long) election.hashCode() << 32) ^ (instance.hashCode() & 0xFFFF_FFFFL);
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    private static Map<String, List<String>> orders(List<Contest> contests, Map<String, String> leaders) {
        Plan plan = new Plan();
        contests.forEach(contest -> contest.equals().forEach(instance -> plan.loads.put(instance, 0)));
        List<Contest> free = new ArrayList<>();
        for (Contest contest : contests) {
            String leader = leaders.get(contest.election());
            if (leader != null && contest.equals().contains(leader)) {
                plan.assign(contest, leader);
            } else {
                plan.assign(contest, contest.equals().get(0));
                free.add(contest);
            }
        }
        plan.level(free);
        plan.level(contests);
        Map<String, List<Contest>> byFirst = new TreeMap<>();
        contests.forEach(contest -> byFirst.computeIfAbsent(plan.first(contest), first -> new ArrayList<>())
                .add(contest));
        Map<String, List<String>> orders = new HashMap<>();
        byFirst.forEach((first, own) -> {
            Plan without = plan.without(first, own);
            own.forEach(contest -> orders.put(contest.election(), order(contest, first, without)));
        });
        return orders;
    }

    /** Comes second: who would be first without the first one. The others follow by their scores. */
    private static List<String> order(Contest contest, String first, Plan without) {
        Set<String> order = new LinkedHashSet<>();
        order.add(first);
        order.add(without.first(contest));
        order.addAll(contest.equals());
        return List.copyOf(order);
    }

    /** The first place of each election, while the order is made. */
    private static final class Plan {

        private final Map<String, String> firsts = new HashMap<>();
        private final Map<String, Integer> loads = new HashMap<>();

        String first(Contest contest) {
            return Objects.requireNonNull(firsts.get(contest.election()));
        }

        void assign(Contest contest, String instance) {
            String before = firsts.put(contest.election(), instance);
            if (before != null) {
                loads.merge(before, -1, Integer::sum);
            }
            loads.merge(instance, 1, Integer::sum);
        }

        private int load(String instance) {
            return Objects.requireNonNull(loads.get(instance));
        }

        /** Returns this plan without a member that comes first in these elections. */
        Plan without(String gone, Collection<Contest> own) {
            Plan without = new Plan();
            without.firsts.putAll(firsts);
            without.loads.putAll(loads);
            own.forEach(contest -> contest.equals().stream()
                    .filter(instance -> !instance.equals(gone))
                    .findFirst()
                    .ifPresent(favourite -> without.assign(contest, favourite)));
            without.loads.put(gone, GONE);
            without.level(own);
            return without;
        }

        /** Moves some of these elections, until nobody comes first in two more of them than another that could do so. */
        void level(Collection<Contest> movable) {
            for (Move move = best(movable); move != null; move = best(movable)) {
                assign(move.contest(), move.to());
            }
        }

        private @Nullable Move best(Collection<Contest> movable) {
            Move best = null;
            int least = movable.isEmpty() ? 0 : Collections.min(loads.values());
            for (Contest contest : movable) {
                int most = load(first(contest));
                if (most - least < (best == null ? 2 : best.gain())) {
                    // None of its candidates comes first in so few others.
                    continue;
                }
                for (String to : contest.equals()) {
                    int gain = most - load(to);
                    if (gain > 1
                            && (best == null
                                    || gain > best.gain()
                                    || (gain == best.gain() && isBetter(contest, to, best)))) {
                        best = new Move(contest, to, gain);
                    }
                }
            }
            return best;
        }

        private static boolean isBetter(Contest contest, String to, Move best) {
            return score(contest.election(), to) > score(best.contest().election(), best.to());
        }
    }

    private record Move(Contest contest, String to, int gain) {}

    /** Whether that election is balanced among some of its candidates. */
    boolean isOf(String election) {
        return orders.containsKey(election);
    }

    /** Returns the place of a candidate in the balanced order of an election; the last one if the order does not name it. */
    int placeOf(String instance, String election) {
        int place = orders.getOrDefault(election, List.of()).indexOf(instance);
        return place < 0 ? Integer.MAX_VALUE : place;
    }

    /** Returns the candidates to which that instance should hand over something that it leads. */
    public Set<String> successorsOf(String instance) {
        return orders.keySet().stream()
                .flatMap(election -> insteadOf(instance, election).stream())
                .collect(Collectors.toSet());
    }

    /** Whether that instance leads an election of which the other one is an equal candidate. */
    public boolean couldMove(String election, String from, String to) {
        List<String> order = orders.getOrDefault(election, List.of());
        return from.equals(leaders.get(election)) && order.contains(from) && order.contains(to);
    }

    /** Returns the equal candidate to which that instance, the leader, should hand an election over; empty if it should keep it. */
    public Optional<String> insteadOf(String instance, String election) {
        return orders.getOrDefault(election, List.of()).stream()
                .findFirst()
                .filter(first -> !first.equals(instance) && couldMove(election, instance, first));
    }
}
