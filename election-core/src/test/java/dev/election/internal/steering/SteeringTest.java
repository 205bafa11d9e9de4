package dev.election.internal.steering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LeaderWork;
import dev.election.LeadershipRecord;
import dev.election.Role;
import dev.election.Steering;
import dev.election.internal.election.HandDrivenLoop;
import dev.election.members.Drain;
import dev.election.members.DrainOutcome;
import dev.election.members.Member;
import dev.election.members.Successor;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Several processes over a store in memory, with time in the test's hand. Lease 15 s. */
class SteeringTest {

    private static final Duration LEASE = SteeredWorld.LEASE;
    private static final Duration SOON = SteeredWorld.SOON;

    private final SteeredWorld world = new SteeredWorld();
    private final HandDrivenLoop loop = world.loop;

    private SteeredWorld.Node start(String id, int priority) {
        return world.start(id, Steering.none().priority(priority));
    }

    private DrainOutcome order(CompletionStage<DrainOutcome> order) {
        loop.pass(SOON);
        assertThat(order.toCompletableFuture()).isDone();
        return order.toCompletableFuture().join();
    }

    @Test
    void after_a_release_the_candidate_with_the_highest_priority_leads() {
        SteeredWorld.Node first = start("first", 0);
        start("low", -1);
        start("middle", 0);
        start("high", 7);
        assertThat(world.leader()).isEqualTo("first");
        world.stop(first);
        assertThat(world.leader()).isEqualTo("high");
    }

    @Test
    void after_a_crash_the_candidate_with_the_highest_priority_leads() {
        SteeredWorld.Node first = start("first", 0);
        start("low", -1);
        start("high", 7);
        loop.pass(LEASE.multipliedBy(2));
        first.crash();
        loop.pass(LEASE.plus(SOON));
        assertThat(world.leader()).isEqualTo("high");
    }

    @Test
    void that_nobody_may_lead_is_logged_after_a_lease_and_not_while_the_last_candidate_cools_down() {
        SteeredWorld.Node first = start("first", 0);
        SteeredWorld.Node second = start("second", 0);
        loop.pass(LEASE.multipliedBy(2));
        order(second.members().drain("second", "alice"));
        try (LoggedLines log = new LoggedLines("dev.election")) {
            first.election().abdicate(Abdication.toAnyone().coolingDownFor(LEASE.dividedBy(2)));
            loop.pass(LEASE.multipliedBy(3));
            assertThat(world.leader()).isEqualTo("first");
            assertThat(log.with("Nobody may lead")).isEmpty();
            order(second.members().drain("first", "alice"));
            loop.pass(LEASE.multipliedBy(3));
            assertThat(log.with("Nobody may lead"))
                    .hasSize(2)
                    .allMatch(line -> line.contains("drained or cooling down"));
        }
    }

    @Test
    void the_order_shows_who_leads_next_and_why() {
        start("first", 0);
        start("low", -1);
        SteeredWorld.Node high = start("high", 7);
        loop.pass(LEASE.multipliedBy(2));
        assertThat(high.members().succession("reports"))
                .extracting(place -> place.member().id())
                .containsExactly("high", "first", "low");
        assertThat(high.members().candidates("reports")).extracting(Member::id).containsExactly("high", "low");
        assertThat(high.members().succession("reports").get(0).reason()).startsWith("priority 7, joined");
    }

    @Test
    void a_leader_that_is_drained_hands_over_and_leads_again_only_after_its_return() {
        SteeredWorld.Node first = start("first", 0);
        SteeredWorld.Node second = start("second", 0);
        loop.pass(LEASE.multipliedBy(2));
        assertThat(order(second.members().drain("first", "alice"))).isEqualTo(DrainOutcome.STORED);
        assertThat(second.members().drains())
                .extracting(Drain::node, Drain::requestedBy)
                .containsExactly(tuple("first", "alice"));
        loop.pass(SOON);
        assertThat(world.leader()).isEqualTo("second");
        assertThat(first.election().role()).isEqualTo(Role.OBSERVER);
        assertThat(first.members().own().drain()).isPresent();
        LeadershipRecord ended = world.history().get(1);
        assertThat(ended.requestedBy()).isEqualTo("alice");
        world.stop(second);
        loop.pass(LEASE.multipliedBy(4));
        assertThat(world.leader()).isEqualTo("nobody");
        assertThat(order(first.members().activate("first", "bob"))).isEqualTo(DrainOutcome.STORED);
        loop.pass(SOON);
        assertThat(world.leader()).isEqualTo("first");
        assertThat(first.members().drains()).isEmpty();
    }

    @Test
    void running_work_ends_before_a_drained_leader_hands_over() {
        SteeredWorld.Node first = start("first", 0);
        start("second", 0);
        LeaderWork work = first.election().beginWork().orElseThrow();
        order(first.members().drain("first", "alice"));
        loop.pass(SOON);
        assertThat(world.leader()).isEqualTo("first");
        assertThat(first.election().beginWork()).isEmpty();
        work.close();
        loop.pass(SOON);
        assertThat(world.leader()).isEqualTo("second");
    }

    @Test
    void a_drained_node_does_not_campaign_when_everybody_has_started_again() {
        SteeredWorld.Node first = start("first", 0);
        SteeredWorld.Node second = start("second", 0);
        order(second.members().drain("first", "alice"));
        world.stop(first);
        world.stop(second);
        loop.pass(Duration.ofDays(20));
        long token = world.history().get(0).leader().token().value();
        SteeredWorld.Node again = start("first", 0);
        loop.pass(LEASE.multipliedBy(2));
        assertThat(world.leader()).isEqualTo("nobody");
        assertThat(world.history().get(0).leader().token().value())
                .as("nobody has led meanwhile")
                .isEqualTo(token);
        assertThat(again.election().role()).isEqualTo(Role.OBSERVER);
        start("second", 0);
        assertThat(world.leader()).isEqualTo("second");
    }

    @Test
    void the_order_to_drain_a_node_that_is_not_there_goes_after_30_days() {
        SteeredWorld.Node first = start("first", 0);
        order(first.members().drain("gone", "alice"));
        loop.freeze(Duration.ofDays(29));
        loop.pass(LEASE);
        assertThat(first.members().drains()).hasSize(1);
        loop.freeze(Duration.ofDays(1));
        loop.pass(LEASE.multipliedBy(2));
        assertThat(first.members().drains()).isEmpty();
    }

    @Test
    void the_order_to_drain_a_node_that_is_there_stays() {
        SteeredWorld.Node first = start("first", 0);
        order(first.members().drain("first", "alice"));
        loop.freeze(Duration.ofDays(31));
        loop.pass(LEASE.multipliedBy(2));
        assertThat(first.members().drains()).extracting(Drain::requestedBy).containsExactly("alice");
        assertThat(first.election().role()).isEqualTo(Role.OBSERVER);
    }

    @Test
    void a_drained_node_gives_the_order_again_to_a_store_that_has_lost_it() {
        SteeredWorld.Node first = start("first", 0);
        SteeredWorld.Node second = start("second", 0);
        order(first.members().drain("first", "alice"));
        world.store.members().forget();
        loop.pass(LEASE.multipliedBy(3));
        assertThat(second.members().drains()).extracting(Drain::requestedBy).containsExactly("alice");
        assertThat(first.election().role()).isEqualTo(Role.OBSERVER);
        assertThat(order(second.members().activate("first", "bob"))).isEqualTo(DrainOutcome.STORED);
        loop.pass(SOON);
        assertThat(first.election().role()).isEqualTo(Role.FOLLOWER);
    }

    @Test
    void a_process_that_is_drained_on_start_leads_when_it_was_activated() {
        SteeredWorld.Node first = world.start("first", Steering.none().drainedOnStart(true));
        loop.pass(LEASE.multipliedBy(2));
        assertThat(world.leader()).isEqualTo("nobody");
        assertThat(first.members().drains()).extracting(Drain::requestedBy).containsExactly("drained-on-start");
        order(first.members().activate("first", "bob"));
        loop.pass(SOON);
        assertThat(world.leader()).isEqualTo("first");
    }

    @Test
    void a_second_election_of_a_drained_process_is_not_led_either() {
        SteeredWorld.Node first = start("first", 0);
        order(first.members().drain("first", "alice"));
        Election late = first.engine().get("late");
        loop.pass(LEASE);
        assertThat(late.role()).isEqualTo(Role.OBSERVER);
    }

    @Test
    void an_order_outside_of_the_start_and_the_stop_is_not_sent() {
        SteeredWorld.Node first = world.create("first", Steering.none());
        assertThat(order(first.members().drain("first", "alice"))).isEqualTo(DrainOutcome.NOT_A_MEMBER);
    }

    @Test
    void steering_needs_members() {
        assertThatThrownBy(() -> ElectionEngine.over(world.store)
                        .steering(Steering.none())
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs the members");
    }

    @Test
    void all_drained_members_are_shown_as_not_eligible() {
        SteeredWorld.Node first = start("first", 0);
        order(first.members().drain("first", "alice"));
        loop.pass(SOON);
        assertThat(first.members().succession("reports"))
                .extracting(Successor::isEligible, Successor::reason)
                .containsExactly(tuple(false, "drained by alice"));
    }
}
