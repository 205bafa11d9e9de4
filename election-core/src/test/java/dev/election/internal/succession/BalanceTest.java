package dev.election.internal.succession;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Steering;
import dev.election.members.Downtime;
import dev.election.members.Drain;
import dev.election.members.Member;
import dev.election.members.MemberRole;
import dev.election.members.Standing;
import dev.election.testing.PlainMember;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The balanced order of random memberships: what holds for each of them. */
class BalanceTest {

    /** In the build of each change a fifth of what {@code -Pall} tries. */
    private static final long MEMBERSHIPS = Math.min(10_000, 20 * Long.getLong("election.simulation.seeds", 100));

    private static final Steering NONE = Steering.none();
    private static final Standing BALANCING = new Standing(0, Map.of()).balanced(true, Map.of());

    /** Who may lead what, and who does. */
    private static final class World {

        private final Random random;
        private final Map<String, Member> members = new TreeMap<>();
        private final Set<String> elections = new TreeSet<>();
        private int joined;

        /** All take part in all elections. */
        World(long seed, int mostMembers) {
            random = new Random(seed);
            int size = 1 + random.nextInt(mostMembers);
            IntStream.rangeClosed(1, 1 + random.nextInt(30)).forEach(i -> elections.add("e" + random.nextInt(1000)));
            for (int i = 0; i < size; i++) {
                join(BALANCING);
            }
        }

        String join(Standing standing) {
            String instance = "i" + random.nextInt(1_000_000);
            Map<String, MemberRole> roles =
                    elections.stream().collect(Collectors.toMap(name -> name, name -> MemberRole.CANDIDATE));
            members.put(instance, member("n" + instance, instance, roles, standing, ++joined));
            return instance;
        }

        void leave(String instance) {
            members.remove(instance);
        }

        String any() {
            return List.copyOf(members.keySet()).get(random.nextInt(members.size()));
        }

        void lead(String election, String instance) {
            members.replaceAll((name, member) -> name.equals(instance) || leads(member, election)
                    ? with(member, election, name.equals(instance) ? MemberRole.LEADER : MemberRole.CANDIDATE)
                    : member);
        }

        /** Each election is led by whoever comes first. */
        void settle() {
            for (Map.Entry<String, String> first : firsts().entrySet()) {
                lead(first.getKey(), first.getValue());
            }
        }

        Balance balance() {
            return Balance.of(List.copyOf(members.values()), false, NONE);
        }

        List<String> order(String election, Balance balance) {
            return Succession.of(election, members.values(), NONE, balance).places().stream()
                    .map(place -> place.member().instance())
                    .toList();
        }

        Map<String, String> firsts() {
            Balance balance = balance();
            return elections.stream().collect(Collectors.toMap(name -> name, name -> at(0, name, balance)));
        }

        String at(int place, String election, Balance balance) {
            return members.keySet().stream()
                    .filter(instance -> balance.placeOf(instance, election) == place)
                    .findFirst()
                    .orElseThrow();
        }

        int floor() {
            return elections.size() / members.size();
        }

        int ceil() {
            return (elections.size() + members.size() - 1) / members.size();
        }

        Map<String, Long> loads(Map<String, String> firsts) {
            Map<String, Long> loads = new HashMap<>();
            members.keySet().forEach(instance -> loads.put(instance, 0L));
            firsts.values().forEach(instance -> loads.merge(instance, 1L, Long::sum));
            return loads;
        }
    }

    private static boolean leads(Member member, String election) {
        return member.roles().get(election) == MemberRole.LEADER;
    }

    /** Some elections are led by anybody, as after any history. */
    private static World anyHistory(long seed) {
        World world = new World(seed, 8);
        world.elections.forEach(election -> {
            if (world.random.nextInt(3) != 0) {
                world.lead(election, world.any());
            }
        });
        return world;
    }

    @Test
    void each_comes_first_as_often_as_the_others_or_once_more_whoever_leads() {
        for (long seed = 0; seed < MEMBERSHIPS; seed++) {
            World world = anyHistory(seed);
            assertThat(world.loads(world.firsts()).values())
                    .as("seed %d", seed)
                    .allMatch(load -> load >= world.floor() && load <= world.ceil());
        }
    }

    @Test
    void who_leaves_moves_only_what_it_led_and_who_came_second_there_comes_first() {
        for (long seed = 0; seed < MEMBERSHIPS; seed++) {
            World world = new World(seed, 7);
            world.join(BALANCING);
            world.settle();
            Map<String, String> before = world.firsts();
            Balance balance = world.balance();
            String leaver = world.any();
            Map<String, String> seconds = new HashMap<>(before);
            seconds.replaceAll((election, first) -> first.equals(leaver) ? world.at(1, election, balance) : first);
            world.leave(leaver);
            Map<String, String> after = world.firsts();
            before.forEach((election, first) -> {
                if (!first.equals(leaver)) {
                    assertThat(after).containsEntry(election, first);
                }
            });
            assertThat(after).as("seed %d", seed).isEqualTo(seconds);
            assertThat(world.loads(after).values())
                    .as("seed %d", seed)
                    .allMatch(load -> load >= world.floor() && load <= world.ceil());
        }
    }

    @Test
    void who_joins_gets_its_share_and_moves_nothing_else() {
        for (long seed = 0; seed < MEMBERSHIPS; seed++) {
            World world = new World(seed, 7);
            world.settle();
            Map<String, String> before = world.firsts();
            String joiner = world.join(BALANCING);
            Map<String, String> after = world.firsts();
            before.forEach((election, first) -> assertThat(after.get(election)).isIn(first, joiner));
            assertThat(world.loads(after).values())
                    .as("seed %d", seed)
                    .allMatch(load -> load >= world.floor() && load <= world.ceil());
        }
    }

    /** In any order: what should move is the same until all of it has moved, and then nothing should. */
    @Test
    void a_wave_moves_each_election_at_most_once_and_comes_to_rest() {
        for (long seed = 0; seed < MEMBERSHIPS / 10; seed++) {
            World world = new World(seed, 6);
            world.settle();
            for (int more = world.random.nextInt(3); more >= 0; more--) {
                world.join(BALANCING);
            }
            Map<String, String> moved = new HashMap<>();
            for (List<Map.Entry<String, String>> due = due(world); !due.isEmpty(); due = due(world)) {
                Map.Entry<String, String> move = due.get(world.random.nextInt(due.size()));
                assertThat(moved.put(move.getKey(), move.getValue()))
                        .as("seed %d: %s", seed, move)
                        .isNull();
                world.lead(move.getKey(), move.getValue());
            }
            assertThat(moved.size()).isLessThanOrEqualTo(world.elections.size());
            Map<String, Long> led = world.loads(
                    world.elections.stream().collect(Collectors.toMap(name -> name, name -> leader(world, name))));
            assertThat(led.values()).allMatch(load -> load >= world.floor() && load <= world.ceil());
        }
    }

    private static String leader(World world, String election) {
        return world.members.values().stream()
                .filter(member -> leads(member, election))
                .findFirst()
                .orElseThrow()
                .instance();
    }

    private static List<Map.Entry<String, String>> due(World world) {
        Balance balance = world.balance();
        return world.elections.stream()
                .flatMap(election -> balance.insteadOf(leader(world, election), election).stream()
                        .map(to -> Map.entry(election, to)))
                .toList();
    }

    /** Old members, drained ones, those that are down, those with other priorities and settings, and those that take part in a few elections only. */
    @Test
    void all_who_see_the_same_compute_the_same_and_only_eligible_members_that_say_so_are_balanced() {
        for (long seed = 0; seed < MEMBERSHIPS; seed++) {
            World world = anyHistory(seed);
            world.members.replaceAll((instance, member) -> varied(member, world.random));
            Balance balance = world.balance();
            List<Member> shuffled = new ArrayList<>(world.members.values());
            Collections.shuffle(shuffled, world.random);
            Balance again = Balance.of(shuffled, false, NONE);
            Map<String, Integer> loads = new HashMap<>();
            world.elections.forEach(election -> balanced(balance, world, election).stream()
                    .limit(1)
                    .forEach(first -> loads.merge(first, 1, Integer::sum)));
            for (String election : world.elections) {
                List<String> order = world.order(election, balance);
                assertThat(Succession.of(election, shuffled, NONE, again).places())
                        .extracting(place -> place.member().instance())
                        .as("seed %d", seed)
                        .isEqualTo(order);
                List<String> balanced = balanced(balance, world, election);
                List<Member> best = Succession.of(election, shuffled, NONE).best();
                assertThat(best).extracting(Member::instance).containsAll(balanced);
                assertThat(balanced).as("seed %d, %s", seed, election).allMatch(instance -> world.members
                        .get(instance)
                        .standing()
                        .orElseThrow()
                        .balances(election));
                for (String other : balanced) {
                    assertThat(loads.get(balanced.get(0)) - loads.getOrDefault(other, 0))
                            .as("seed %d, %s: %s comes first in more", seed, election, balanced.get(0))
                            .isLessThan(2);
                }
                assertThat(order.subList(0, balanced.size())).isEqualTo(balanced);
            }
        }
    }

    private static List<String> balanced(Balance balance, World world, String election) {
        return world.order(election, balance).stream()
                .filter(instance -> balance.placeOf(instance, election) < Integer.MAX_VALUE)
                .toList();
    }

    private static Member varied(Member member, Random random) {
        Map<String, MemberRole> roles = new HashMap<>(member.roles());
        roles.replaceAll((election, role) -> random.nextInt(9) == 0 ? MemberRole.OBSERVER : role);
        roles.keySet().removeIf(election -> random.nextInt(9) == 0);
        Standing standing = new Standing(
                        random.nextInt(5) == 0 ? 1 : 0,
                        Map.of(),
                        random.nextInt(5) == 0
                                ? Optional.of(new Drain(member.id(), "alice", Instant.EPOCH))
                                : Optional.empty())
                .ofHealth(
                        random.nextInt(5) == 0 ? Optional.of(new Downtime("db", Instant.EPOCH)) : Optional.empty(),
                        Map.of())
                .balanced(random.nextInt(4) != 0, random.nextBoolean() ? Map.of() : Map.of("e1", true, "e2", false));
        Member varied = member(member.id(), member.instance(), roles, standing, member.order());
        return random.nextInt(6) == 0 ? varied.as(Optional.empty()) : varied;
    }

    @Test
    void what_a_member_without_the_setting_leads_does_not_move_and_the_others_share_what_it_will_leave() {
        for (long seed = 0; seed < MEMBERSHIPS / 10; seed++) {
            World world = new World(seed, 5);
            String old = world.join(new Standing(0, Map.of()));
            world.elections.forEach(election -> world.lead(election, old));
            assertThat(due(world)).isEmpty();
            Map<String, Long> loads = world.loads(world.firsts());
            assertThat(loads.remove(old)).isZero();
            assertThat(Collections.max(loads.values()) - Collections.min(loads.values()))
                    .as("seed %d", seed)
                    .isLessThan(2);
        }
    }

    @Test
    void who_was_followed_in_most_of_what_it_says_that_it_leads_gets_nothing() {
        for (boolean isByChange : new boolean[] {true, false}) {
            List<Member> members = new ArrayList<>();
            members.add(leading("dead", 1, "a", "b", "c", "d"));
            members.add(leading("one", 2, "a", "b", "e", "f", "g"));
            members.add(leading("two", 3, "c", "d", "h", "i", "j"));
            Balance balance = Balance.of(members, isByChange, NONE);
            assertThat(balance.successorsOf("one")).isEmpty();
            assertThat(balance.placeOf("dead", "e")).isEqualTo(Integer.MAX_VALUE);
            assertThat(balance.placeOf("one", "a")).isZero();
            assertThat(balance.placeOf("two", "c")).isZero();
        }
    }

    @Test
    void an_election_on_its_way_takes_its_former_leader_out_of_nothing() {
        Member from = leading("from", 1, "a", "b", "c");
        Member to = leading("to", 2, "a");
        Balance balance = Balance.of(List.of(from, to), true, NONE);
        assertThat(balance.placeOf("to", "a")).isZero();
        assertThat(balance.placeOf("from", "b")).isZero();
        assertThat(balance.successorsOf("from")).isEmpty();
    }

    @Test
    void of_two_with_one_id_only_the_one_that_joined_last_is_balanced() {
        Member before = member("n", "before", Map.of("a", MemberRole.CANDIDATE), BALANCING, 1);
        Member after = member("n", "after", Map.of("a", MemberRole.CANDIDATE), BALANCING, 2);
        Balance balance = Balance.of(List.of(before, after), true, NONE);
        assertThat(balance.placeOf("after", "a")).isZero();
        assertThat(balance.placeOf("before", "a")).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void where_nobody_balances_nothing_is_computed() {
        World world = new World(1, 5);
        world.members.replaceAll((instance, member) -> member.as(Optional.of(new Standing(0, Map.of()))));
        assertThat(world.balance()).isSameAs(Balance.NONE);
    }

    /** It must not change: other versions compute the same. */
    @Test
    void the_favourites_are_the_same_in_every_version() {
        List<Member> members = IntStream.range(0, 4)
                .mapToObj(i -> member(
                        "n" + i,
                        "i" + i,
                        IntStream.range(0, 8)
                                .boxed()
                                .collect(Collectors.toMap(j -> "orders." + j, j -> MemberRole.CANDIDATE)),
                        BALANCING,
                        i))
                .toList();
        Balance balance = Balance.of(members, true, NONE);
        assertThat(IntStream.range(0, 8)
                        .mapToObj(j -> members.stream()
                                .filter(member -> balance.placeOf(member.instance(), "orders." + j) == 0)
                                .findFirst()
                                .orElseThrow()
                                .id())
                        .collect(Collectors.joining(" ")))
                .isEqualTo("n1 n0 n2 n2 n0 n1 n3 n3");
    }

    private static Member leading(String id, long order, String... led) {
        Map<String, MemberRole> roles = new HashMap<>();
        for (String election : "a b c d e f g h i j".split(" ")) {
            roles.put(election, List.of(led).contains(election) ? MemberRole.LEADER : MemberRole.CANDIDATE);
        }
        return member(id, id, roles, BALANCING, order);
    }

    private static Member with(Member member, String election, MemberRole role) {
        Map<String, MemberRole> roles = new HashMap<>(member.roles());
        roles.put(election, role);
        return member(member.id(), member.instance(), roles, member.standing().orElseThrow(), member.order());
    }

    private static Member member(
            String id, String instance, Map<String, MemberRole> roles, Standing standing, long order) {
        return PlainMember.of(id, instance, roles, Optional.of(standing), order);
    }
}
