package dev.election.internal.succession;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Steering;
import dev.election.members.Downtime;
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
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which leaders of a group hand over to whom, where a member leads one partition at most. */
class GroupSuccessionTest {

    private static final Steering STEERING = Steering.none().preempt(true).abdicateWhenDown(true);
    private static final Optional<Downtime> DOWN = Optional.of(new Downtime("db", Instant.EPOCH));

    private final List<Member> members = new ArrayList<>();

    /** What a leader is in the other partitions. While that is new, others may still see a candidate. */
    private MemberRole elsewhere = MemberRole.OBSERVER;

    /** The group has as many partitions as the latest of these leads. */
    private int count;

    private void leads(int partition, int priority) {
        count = Math.max(count, partition + 1);
        add("leader" + partition, partition, new Standing(priority, Map.of()));
    }

    private void candidate(String id, int priority) {
        add(id, -1, new Standing(priority, Map.of()));
    }

    /** @param led the partition that it leads, -1 if it leads none */
    private void add(String id, int led, Standing standing) {
        Map<String, MemberRole> roles = new HashMap<>();
        for (int i = 0; i < 8; i++) {
            roles.put("orders." + i, led < 0 ? MemberRole.CANDIDATE : i == led ? MemberRole.LEADER : elsewhere);
        }
        members.add(PlainMember.of(id, id, roles, Optional.of(standing), members.size() + 1));
    }

    /** Who hands over to whom, by partition. */
    private Map<Integer, String> successors() {
        Map<String, Member> leaders = new HashMap<>();
        members.forEach(member -> member.roles().forEach((election, role) -> {
            if (role == MemberRole.LEADER) {
                leaders.put(election, member);
            }
        }));
        List<Succession> orders = IntStream.range(0, count)
                .mapToObj(index -> Succession.of("orders." + index, members, STEERING))
                .toList();
        Map<Integer, String> successors = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            String election = "orders." + i;
            Member leader = leaders.get(election);
            if (leader != null) {
                int index = i;
                orders.get(i)
                        .without(GroupSuccession.takenFrom(election, orders, leaders, 0))
                        .insteadOf(leader.instance())
                        .ifPresent(member -> successors.put(index, member.id()));
            }
        }
        return successors;
    }

    @Test
    void the_worst_leader_hands_over_to_the_best_candidate_and_the_next_one_to_the_next() {
        leads(0, 3);
        leads(1, 1);
        leads(2, 2);
        candidate("good", 4);
        assertThat(successors()).isEqualTo(Map.of(1, "good"));
        candidate("better", 5);
        assertThat(successors()).isEqualTo(Map.of(1, "better", 2, "good"));
    }

    @Test
    void of_equal_leaders_that_of_the_first_partition_hands_over() {
        leads(0, 0);
        leads(1, 0);
        candidate("better", 1);
        assertThat(successors()).isEqualTo(Map.of(0, "better"));
    }

    @Test
    void a_candidate_leads_the_partition_without_leader_and_not_one_of_another() {
        leads(0, 0);
        leads(2, 0);
        candidate("better", 1);
        assertThat(successors()).isEmpty();
        candidate("best", 2);
        assertThat(successors()).isEqualTo(Map.of(0, "better"));
    }

    @Test
    void a_leader_that_is_down_hands_over_first_whatever_its_priority() {
        leads(0, 0);
        count = 2;
        add("down", 1, new Standing(9, Map.of()).ofHealth(DOWN, Map.of()));
        add("better", -1, new Standing(1, Map.of()).ofHealth(Optional.empty(), Map.of("down", Instant.EPOCH)));
        assertThat(successors()).isEqualTo(Map.of(1, "better"));
    }

    @Test
    void in_no_membership_two_leaders_hand_over_to_one_or_one_hands_over_to_a_leader() {
        for (long seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            members.clear();
            elsewhere = random.nextBoolean() ? MemberRole.OBSERVER : MemberRole.CANDIDATE;
            count = 1 + random.nextInt(8);
            Map<String, Instant> up = IntStream.range(0, count)
                    .boxed()
                    .collect(Collectors.toMap(index -> "leader" + index, index -> Instant.EPOCH));
            for (int i = 0; i < count; i++) {
                if (random.nextInt(6) > 0) {
                    boolean isDown = random.nextInt(4) == 0;
                    Standing standing = new Standing(random.nextInt(3), Map.of());
                    add("leader" + i, i, isDown ? standing.ofHealth(DOWN, Map.of()) : standing);
                }
            }
            int candidates = random.nextInt(6);
            for (int i = 0; i < candidates; i++) {
                add("c" + i, -1, new Standing(random.nextInt(4), Map.of()).ofHealth(Optional.empty(), up));
            }
            Map<Integer, String> successors = successors();
            assertThat(successors.values())
                    .as("seed %d", seed)
                    .doesNotHaveDuplicates()
                    .allMatch(id -> id.startsWith("c"));
            Collections.shuffle(members, random);
            assertThat(successors()).as("seed %d, in another order", seed).isEqualTo(successors);
        }
    }
}
