package dev.election.internal.succession;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.election.Preference;
import dev.election.Steering;
import dev.election.members.Drain;
import dev.election.members.Member;
import dev.election.members.MemberRole;
import dev.election.members.Standing;
import dev.election.members.Successor;
import dev.election.testing.PlainMember;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SuccessionTest {

    private static final Drain DRAIN = new Drain("any", "alice", Instant.EPOCH);

    @Test
    void without_steering_the_members_are_in_the_order_in_which_they_joined_and_the_queue_of_the_store_decides() {
        Succession order = order(Steering.none(), a(1), a(3), a(2));
        assertThat(ids(order)).containsExactly("n1", "n2", "n3");
        assertThat(order.placeOf("n1")).isEmpty();
        assertThat(order.betterThan("n3")).isEmpty();
    }

    @Test
    void the_highest_priority_comes_first_and_one_of_a_single_election_counts_there() {
        Member low = a(1, new Standing(5, Map.of("reports", -1)));
        Member middle = a(2);
        Member high = a(3, new Standing(1, Map.of()));
        Succession order = order(Steering.none(), low, middle, high);
        assertThat(ids(order)).containsExactly("n3", "n2", "n1");
        assertThat(order.placeOf("n3")).isEqualTo(OptionalInt.of(0));
        assertThat(order.placeOf("n1")).isEqualTo(OptionalInt.of(2));
        assertThat(ids(Succession.of("other", List.of(low, middle, high), Steering.none())))
                .as("without a role there")
                .isEmpty();
    }

    @Test
    void the_leader_does_not_count_among_those_who_campaign_before_another() {
        Member leader = with(a(1, new Standing(9, Map.of())), MemberRole.LEADER);
        Succession order = order(Steering.none(), leader, a(2, new Standing(5, Map.of())), a(3));
        assertThat(order.placeOf("n2")).isEqualTo(OptionalInt.of(0));
        assertThat(order.placeOf("n3")).isEqualTo(OptionalInt.of(1));
        assertThat(order.placeOf("n1")).isEmpty();
    }

    @Test
    void a_drained_member_is_last_and_not_eligible_whatever_its_priority() {
        Member drained = with(a(1, new Standing(9, Map.of(), Optional.of(DRAIN))), MemberRole.OBSERVER);
        Member leaving = with(a(2, new Standing(8, Map.of(), Optional.of(DRAIN))), MemberRole.LEADER);
        Succession order = order(Steering.none(), drained, leaving, a(3));
        assertThat(order.places())
                .extracting(place -> place.member().id(), Successor::isEligible, Successor::reason)
                .containsExactly(
                        tuple("n3", true, "joined as number 3"),
                        tuple("n1", false, "drained by alice"),
                        tuple("n2", false, "drained by alice"));
    }

    @Test
    void an_observer_has_no_place() {
        assertThat(ids(order(Steering.none(), with(a(1), MemberRole.OBSERVER), a(2))))
                .containsExactly("n2");
    }

    @Test
    void versions_are_compared_by_number() {
        Steering newest = Steering.none().prefer(Preference.NEWEST);
        assertThat(ids(order(newest, version(1, "1.9"), version(2, "1.10"), version(3, "1.10.0"))))
                .as("of equal ones that joined first")
                .containsExactly("n2", "n3", "n1");
        assertThat(ids(order(Steering.none().prefer(Preference.OLDEST), version(1, "2"), version(2, "1.5"))))
                .containsExactly("n2", "n1");
    }

    @Test
    void where_one_version_can_not_be_compared_the_times_of_the_start_decide_for_all() {
        Steering newest = Steering.none().prefer(Preference.NEWEST);
        Succession order = order(newest, version(1, "9"), version(2, "1.0-SNAPSHOT"), version(3, "2"));
        assertThat(ids(order)).containsExactly("n3", "n2", "n1");
    }

    @Test
    void a_preferred_zone_comes_before_a_newer_version_and_after_a_higher_priority() {
        Steering preferring = Steering.none().prefer(Preference.NEWEST).preferZone("west");
        Member first = zone(a(1, new Standing(1, Map.of())), "east", "1");
        Succession order =
                order(preferring, first, zone(a(2), "west", "1"), zone(a(3), "east", "2"), zone(a(4), "west", "2"));
        assertThat(ids(order)).containsExactly("n1", "n4", "n2", "n3");
        assertThat(order.places())
                .extracting(Successor::reason)
                .containsExactly(
                        "priority 1, version 1, joined as number 1",
                        "zone west, version 2, joined as number 4",
                        "zone west, version 1, joined as number 2",
                        "version 2, joined as number 3");
    }

    @Test
    void a_leader_is_not_preempted_for_a_later_start_or_an_earlier_joining() {
        Steering newest = Steering.none().prefer(Preference.NEWEST);
        Member leader = with(version(1, ""), MemberRole.LEADER);
        Succession order = order(newest, leader, version(2, ""));
        assertThat(ids(order)).containsExactly("n2", "n1");
        assertThat(order.betterThan("n1")).isEmpty();
        assertThat(order(newest, with(version(2, "1"), MemberRole.LEADER), version(1, "1"))
                        .betterThan("n2"))
                .isEmpty();
        assertThat(order(newest, with(version(2, "1"), MemberRole.LEADER), version(1, "2"))
                        .betterThan("n2"))
                .map(Member::id)
                .contains("n1");
    }

    @Test
    void a_second_process_with_the_id_of_the_leader_is_no_better_one() {
        Member leader = with(a(1), MemberRole.LEADER);
        Member twin = PlainMember.of(
                "n1", "twin", Map.of("reports", MemberRole.CANDIDATE), Optional.of(new Standing(9, Map.of())), 2);
        assertThat(order(Steering.none(), leader, twin).betterThan("n1")).isEmpty();
    }

    @Test
    void equal_members_in_any_order_give_one_order() {
        Random random = new Random(1);
        for (int round = 0; round < 300; round++) {
            List<Member> members = new ArrayList<>();
            for (int i = 1; i <= 7; i++) {
                String version = random.nextInt(4) == 0 ? "x" : "1." + random.nextInt(3);
                Standing standing = new Standing(
                        random.nextInt(2), Map.of(), random.nextInt(4) == 0 ? Optional.of(DRAIN) : Optional.empty());
                members.add(zone(a(i, standing), random.nextBoolean() ? "west" : "east", version));
            }
            Steering steering = Steering.none()
                    .prefer(Preference.values()[random.nextInt(3)])
                    .preferZone("west");
            List<String> before = ids(Succession.of("reports", members, steering));
            Collections.shuffle(members, random);
            assertThat(ids(Succession.of("reports", members, steering))).isEqualTo(before);
        }
    }

    private static Succession order(Steering steering, Member... members) {
        return Succession.of("reports", List.of(members), steering);
    }

    private static List<String> ids(Succession order) {
        return order.places().stream().map(place -> place.member().id()).toList();
    }

    private static Member a(int number) {
        return a(number, new Standing(0, Map.of()));
    }

    private static Member a(int number, Standing standing) {
        return member(number, "", "", MemberRole.CANDIDATE, standing);
    }

    private static Member version(int number, String version) {
        return member(number, version, "", MemberRole.CANDIDATE, new Standing(0, Map.of()));
    }

    private static Member zone(Member member, String zone, String version) {
        return member(
                (int) member.order(),
                version,
                zone,
                member.roles().get("reports"),
                member.standing().orElseThrow());
    }

    private static Member with(Member member, MemberRole role) {
        return member(
                (int) member.order(),
                member.version(),
                member.zone(),
                role,
                member.standing().orElseThrow());
    }

    /** Joined, and started, in the order of the numbers. */
    private static Member member(int number, String version, String zone, MemberRole role, Standing standing) {
        return new Member(
                "n" + number,
                "n" + number,
                "",
                "",
                "",
                Instant.ofEpochSecond(number),
                version,
                zone,
                Duration.ZERO,
                Map.of(),
                Map.of(),
                Map.of("reports", role),
                Optional.of(standing),
                number);
    }
}
