package dev.election.internal.steering;

import static dev.election.internal.steering.SteeredWorld.LEASE;
import static dev.election.internal.steering.SteeredWorld.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.AssignedRole;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LeaderRecovery;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LeadershipEvent.Acquired;
import dev.election.LeadershipEvent.Lost;
import dev.election.LeadershipEvent.Resigning;
import dev.election.LeadershipEvent.RoleChanged;
import dev.election.Role;
import dev.election.Steering;
import dev.election.Timing;
import dev.election.internal.steering.SteeredWorld.Node;
import dev.election.members.MemberRole;
import dev.election.store.ReadReply;
import dev.election.testing.EachEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The election {@code cache} is led by whoever leads {@code reports}, under one lease. */
class LedTogetherTest {

    private final SteeredWorld world = new SteeredWorld(builder -> builder.ledWith("cache", "reports"));

    @Test
    void whoever_leads_one_leads_the_other_under_a_token_that_rises() {
        Node first = start("a");
        Node second = start("b");
        long before = token(first);
        assertThat(before).isEqualTo(first.token());
        assertThat(cache(second).role()).isEqualTo(Role.FOLLOWER);
        assertThat(cache(second).leader()).isEqualTo(second.election().leader());

        first.crash();
        world.pass(LEASE.multipliedBy(2));
        assertThat(token(second)).isEqualTo(second.token()).isGreaterThan(before);
    }

    @Test
    void there_is_no_second_lease() {
        Node first = start("a");
        var own =
                (ReadReply.Read) world.store.read("cache").toCompletableFuture().join();
        assertThat(own.view().leader()).isEmpty();
        assertThat(cache(first).lookUp().toCompletableFuture().join().leader())
                .isEqualTo(first.election().leader());
        assertThat(cache(first).leaseRemaining()).isEqualTo(first.election().leaseRemaining());
    }

    @Test
    void leadership_of_both_ends_at_the_same_time_if_the_lease_is_not_renewed() {
        Node first = start("a");
        world.store.of("reports").forget();
        for (int i = 0; i < 40; i++) {
            world.pass(LEASE.dividedBy(20));
            assertThat(cache(first).isLeader()).isEqualTo(first.election().isLeader());
            assertThat(cache(first).leadership().map(led -> led.token()))
                    .isEqualTo(first.election().leadership().map(led -> led.token()));
        }
    }

    @Test
    void the_lease_is_released_when_the_work_of_both_has_ended() {
        Node first = start("a");
        start("b");
        LeaderWork work = cache(first).beginWork().orElseThrow();
        assertThat(first.election().runningWork()).isZero();
        first.election().abdicate();
        world.pass(SOON);
        assertThat(world.leader()).isEqualTo("a");
        assertThat(work.isCurrent()).isTrue();
        assertThat(first.election().beginWork()).isEmpty();
        assertThat(cache(first).beginWork()).isEmpty();

        work.close();
        world.pass(SOON);
        assertThat(world.leader()).isEqualTo("b");
        assertThat(work.isCurrent()).isFalse();
    }

    @Test
    void an_abdication_and_a_role_of_one_are_those_of_both() {
        Node first = start("a");
        Node second = start("b");
        cache(first).abdicate();
        world.pass(SOON);
        assertThat(cache(second).isLeader()).isTrue();
        cache(second).setRole(AssignedRole.OBSERVER);
        world.pass(LEASE);
        assertThat(second.election().role()).isEqualTo(Role.OBSERVER);
        assertThat(cache(second).role()).isEqualTo(Role.OBSERVER);
        assertThat(cache(first).isLeader()).isTrue();
    }

    @Test
    void each_has_a_recovery_of_its_own_before_its_work() {
        Node first = world.create("a", Steering.none());
        List<String> seen = new ArrayList<>();
        cache(first);
        first.engine()
                .addRecovery(
                        "warm-up",
                        ofCache(() -> seen.add("cache " + worksElsewhere(cache(first)) + ", reports "
                                + worksElsewhere(first.election()))));
        first.engine().start();
        world.pass(SOON);
        assertThat(seen).containsExactly("cache false, reports true");
        assertThat(worked(cache(first))).isTrue();
    }

    @Test
    void a_recovery_that_fails_gives_both_up() {
        Node first = world.create("a", Steering.none());
        cache(first);
        first.engine().addRecovery("warm-up", ofCache(() -> {
            throw new IllegalStateException("cold");
        }));
        first.engine().start();
        world.pass(SOON);
        assertThat(first.election().isLeader()).isFalse();
        Node second = start("b");
        assertThat(cache(second).isLeader()).isTrue();
        assertThat(first.events(Lost.class)).isNotEmpty();
    }

    @Test
    void the_listeners_of_both_hear_of_another_role() {
        Node first = start("a");
        List<LeadershipEvent> events = new ArrayList<>();
        cache(first).addListener(new EachEvent(events::add));
        first.election().setRole(AssignedRole.OBSERVER);
        world.pass(SOON);
        assertThat(first.events(RoleChanged.class)).hasSize(1);
        assertThat(events)
                .filteredOn(RoleChanged.class::isInstance)
                .singleElement()
                .extracting(LeadershipEvent::election)
                .isEqualTo("cache");
    }

    @Test
    void each_has_events_under_its_name_and_the_members_show_both() {
        Node first = start("a");
        Node second = start("b", Steering.none().priority("reports", 5));
        List<LeadershipEvent> events = new ArrayList<>();
        cache(first).addListener(new EachEvent(events::add));
        world.pass(SOON);
        assertThat(events).singleElement().isInstanceOf(Acquired.class);
        assertThat(second.members().leader("cache")).get().extracting("id").isEqualTo("a");
        assertThat(second.members().withRole("cache", MemberRole.CANDIDATE)).hasSize(1);
        assertThat(second.members().succession("cache"))
                .isEqualTo(second.members().succession("reports"));

        first.election().abdicate();
        world.pass(SOON);
        assertThat(events).hasAtLeastOneElementOfType(Resigning.class).hasAtLeastOneElementOfType(Lost.class);
        assertThat(events).extracting(LeadershipEvent::election).containsOnly("cache");
        assertThat(second.members().leader("cache")).get().extracting("id").isEqualTo("b");
    }

    @Test
    void an_election_that_is_joined_later_has_the_leadership_that_is_there() {
        Node first = world.start("a", Steering.none());
        List<LeadershipEvent> events = new ArrayList<>();
        first.engine().addListener(new EachEvent(event -> {
            if (event.election().equals("cache")) {
                events.add(event);
            }
        }));
        Election joined = cache(first);
        world.pass(SOON);
        assertThat(worked(joined)).isTrue();
        assertThat(events).singleElement().isInstanceOf(Acquired.class);
        world.stop(first);
        assertThat(cache(first).role()).isEqualTo(Role.STOPPED);
    }

    @Test
    void an_election_that_is_joined_later_recovers_before_its_listeners_hear_that_it_leads() {
        Node first = world.start("a", Steering.none());
        first.engine().addRecovery("warm-up", ofCache(() -> {}));
        List<LeadershipEvent> events = new ArrayList<>();
        cache(first).addListener(new EachEvent(events::add));
        world.pass(SOON);
        assertThat(events).last().isInstanceOf(Acquired.class);
        assertThat(events).filteredOn(Acquired.class::isInstance).hasSize(1);
        assertThat(events).hasAtLeastOneElementOfType(LeadershipEvent.Recovering.class);
        assertThat(worked(cache(first))).isTrue();
    }

    @Test
    void an_election_that_is_led_with_another_can_be_restarted() {
        Node first = start("a");
        long before = token(first);
        var unused = first.engine().stop();
        world.pass(SOON);
        first.engine().start();
        world.pass(SOON);
        assertThat(token(first)).isGreaterThan(before);
        assertThat(first.members().leader("cache")).isPresent();
    }

    @Test
    void chains_circles_and_settings_of_the_lease_are_refused() {
        assertRefused(engine().ledWith("a", "b").ledWith("b", "c"), "'a' can't be led with 'b', which is led with 'c'");
        assertRefused(engine().ledWith("a", "b").ledWith("b", "a"), ", which is led with");
        assertRefused(engine().ledWith("a", "a"), "'a' can't be led with 'a', which is led with 'a'");
        assertRefused(engine().ledWith("a", "b").timing("a", Timing.defaults()), "it has those of 'b'");
        assertRefused(engine().ledWith("a", "b").role("a", AssignedRole.OBSERVER), "it has those of 'b'");
        assertRefused(engine().ledWith("a", "b").minimumMembers("a", 2), "it has those of 'b'");
    }

    private static LeaderRecovery ofCache(Runnable recovery) {
        return new LeaderRecovery() {
            @Override
            public String election() {
                return "cache";
            }

            @Override
            public void recover(LeaderWork work) {
                recovery.run();
            }
        };
    }

    private static void assertRefused(ElectionEngine.Builder builder, String message) {
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private ElectionEngine.Builder engine() {
        return ElectionEngine.over(world.store);
    }

    private Node start(String id) {
        return start(id, Steering.none());
    }

    private Node start(String id, Steering steering) {
        Node node = world.create(id, steering);
        cache(node);
        node.engine().start();
        world.pass(SOON);
        return node;
    }

    private static Election cache(Node node) {
        return node.engine().get("cache");
    }

    private static long token(Node node) {
        return cache(node).leadership().orElseThrow().token().value();
    }

    /** On another thread than that of a recovery, which may begin parts of its own work. */
    private static boolean worksElsewhere(Election election) {
        return CompletableFuture.supplyAsync(() -> worked(election)).join();
    }

    private static boolean worked(Election election) {
        return election.runIfLeader(() -> {});
    }
}
