package dev.election.internal.steering;

import static dev.election.internal.steering.SteeredWorld.LEASE;
import static dev.election.internal.steering.SteeredWorld.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.AssignedRole;
import dev.election.ElectionEngine;
import dev.election.LeadershipEvent;
import dev.election.Role;
import dev.election.Steering;
import dev.election.internal.steering.SteeredWorld.Node;
import dev.election.members.MemberRole;
import dev.election.record.AtomicLeaseStore;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Nobody campaigns before there are so many candidates, and a leader stays when others go. */
class MinimumMembersTest {

    private static final Steering PREEMPTING = Steering.none().preempt(true);

    private final SteeredWorld world = new SteeredWorld(builder -> builder.minimumMembers("reports", 3));

    @Test
    void nobody_leads_before_there_are_enough_candidates() {
        Node first = start("a");
        Node second = start("b");
        world.pass(LEASE.multipliedBy(4));
        assertThat(world.leader()).isEqualTo("nobody");
        assertThat(first.election().role()).isEqualTo(Role.FOLLOWER);
        assertThat(first.members().withRole("reports", MemberRole.CANDIDATE)).hasSize(2);
        assertThat(second.members().waitsFor("reports")).contains("waits for 3 members, 2 are here");

        start("c");
        assertThat(world.leader()).isNotEqualTo("nobody");
        assertThat(second.members().waitsFor("reports")).isEmpty();
    }

    @Test
    void a_process_that_has_stopped_waits_for_nobody() {
        Node first = start("a");
        assertThat(first.members().waitsFor("reports")).contains("waits for 3 members, 1 are here");
        world.stop(first);
        assertThat(first.members().waitsFor("reports")).isEmpty();
    }

    @Test
    void an_observer_and_a_drained_node_are_no_candidates() {
        start("a");
        start("b");
        Node third = world.create("c", Steering.none().drainedOnStart(true));
        third.engine().start();
        Node fourth = world.create("d", Steering.none());
        fourth.election().setRole(AssignedRole.OBSERVER);
        fourth.engine().start();
        world.pass(LEASE.multipliedBy(3));
        assertThat(world.leader()).isEqualTo("nobody");
        assertThat(third.members().waitsFor("reports")).isEmpty();
        assertThat(fourth.election().role()).isEqualTo(Role.OBSERVER);

        third.members().activate("c", "alice");
        world.pass(LEASE);
        assertThat(world.leader()).isNotEqualTo("nobody");
    }

    @Test
    void a_node_that_was_restarted_counts_once() {
        start("a");
        start("b").crash();
        start("b");
        world.pass(SOON);
        assertThat(world.leader()).isEqualTo("nobody");
    }

    @Test
    void a_leader_stays_when_others_go_and_takes_over_alone_but_a_node_that_starts_waits() {
        Node first = start("a", PREEMPTING);
        Node second = start("b", PREEMPTING);
        Node third = start("c", PREEMPTING);
        world.stop(third);
        world.stop(second);
        world.pass(LEASE.multipliedBy(3));
        assertThat(world.leader()).isEqualTo("a");

        Node late = start("b", PREEMPTING.priority(10));
        world.pass(LEASE.multipliedBy(10));
        assertThat(first.events(LeadershipEvent.Resigning.class)).isEmpty();
        assertThat(first.election().isLeader()).isTrue();
        world.stop(first);
        world.pass(LEASE.multipliedBy(3));
        assertThat(world.leader()).isEqualTo("nobody");
        assertThat(late.members().waitsFor("reports")).contains("waits for 3 members, 1 are here");
    }

    @Test
    void the_log_says_what_a_node_waits_for() {
        try (LoggedLines lines = new LoggedLines("dev.election")) {
            start("a");
            start("b");
            assertThat(lines.with("in the election 'reports' yet: it waits for 3 members, 2 are here"))
                    .isNotEmpty();
        }
    }

    @Test
    void a_caller_waits_for_members() throws InterruptedException {
        Node first = world.create("a", Steering.none());
        assertThat(first.members().await(0, Duration.ZERO))
                .as("before the copy is complete")
                .isFalse();
        first.engine().start();
        world.pass(SOON);
        assertThat(first.members().await(1, Duration.ZERO)).isTrue();
        assertThat(first.members().await(2, Duration.ofMillis(1))).isFalse();
        start("b");
        assertThat(first.members().await(2, Duration.ZERO)).isTrue();
    }

    @Test
    void a_minimum_is_a_number_of_members_and_needs_them() {
        AtomicLeaseStore store = world.store;
        assertThatThrownBy(() ->
                        ElectionEngine.over(store).minimumMembers("reports", 0).build())
                .hasMessageContaining("The minimum of members of the election 'reports' must be at least 1, but is 0");
        assertThatThrownBy(() ->
                        ElectionEngine.over(store).minimumMembers("reports", 3).build())
                .hasMessageContaining("A minimum of members needs the members");
    }

    private Node start(String id) {
        return start(id, Steering.none());
    }

    private Node start(String id, Steering steering) {
        return world.start(id, steering);
    }
}
