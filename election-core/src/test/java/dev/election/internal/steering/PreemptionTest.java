package dev.election.internal.steering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.Steering;
import dev.election.members.DrainOutcome;
import dev.election.record.AtomicMembers;
import dev.election.store.MemberEntry;
import dev.election.store.MemberNews;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When a leader hands over by itself. Lease 15 s, drain time 30 s, minimum tenure a minute. */
class PreemptionTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SteeredWorld world = new SteeredWorld();

    @Test
    void a_better_candidate_gets_leadership_after_the_minimum_tenure() {
        world.start("low", preempting(0));
        world.pass(Duration.ofMinutes(5));
        world.start("high", preempting(1));
        world.pass(Duration.ofSeconds(10));
        assertThat(world.leader()).as("before a lease").isEqualTo("low");
        world.pass(Duration.ofSeconds(40));
        assertThat(world.leader()).isEqualTo("high");
        LeadershipRecord ended = world.history().get(1);
        assertThat(ended.reason()).isEqualTo(LossReason.PREEMPTED);
        assertThat(ended.requestedBy()).isEqualTo("high should lead (priority 1, joined as number 2)");
        world.pass(Duration.ofMinutes(20));
        assertThat(world.leader()).as("there is no better one").isEqualTo("high");
        assertThat(world.history()).hasSize(2);
    }

    @Test
    void nobody_hands_over_before_the_minimum_tenure() {
        world.start("low", preempting(0));
        world.start("high", preempting(1));
        world.pass(MINUTE.minusSeconds(10));
        assertThat(world.leader()).isEqualTo("low");
        world.pass(Duration.ofSeconds(20));
        assertThat(world.leader()).isEqualTo("high");
    }

    /** Whoever may publish must not move leadership. */
    @Test
    void a_better_candidate_that_the_store_does_not_know_moves_nothing() {
        SteeredWorld.Node low = world.start("low", preempting(0));
        world.pass(MINUTE.multipliedBy(2));
        AtomicMembers members = world.store.members();
        AtomicLong number = new AtomicLong(1000);
        String text = "id=invented\npriority=9\nrole.reports=CANDIDATE\n";
        world.meanwhile(() -> world.store.publish(new MemberNews.Changed(
                members.name(), new MemberEntry.Present("invented", number.incrementAndGet(), 9, text))));
        world.pass(MINUTE.multipliedBy(3));
        assertThat(low.members().succession("reports").get(0).member().id()).isEqualTo("invented");
        assertThat(world.history()).hasSize(1);
    }

    @Test
    void a_history_that_is_not_answered_is_asked_for_again() {
        world.start("low", preempting(0));
        world.pass(MINUTE.multipliedBy(2));
        world.loseRead();
        world.start("high", preempting(1));
        world.pass(MINUTE.multipliedBy(2));
        assertThat(world.leader()).isEqualTo("high");
    }

    @Test
    void nobody_hands_over_where_nobody_has_asked_for_that() {
        world.start("low", Steering.none());
        world.start("high", Steering.none().priority(9));
        world.pass(Duration.ofHours(1));
        assertThat(world.leader()).isEqualTo("low");
    }

    @Test
    void a_drained_candidate_is_no_better_one() {
        world.start("low", preempting(0));
        SteeredWorld.Node high = world.start("high", preempting(1));
        CompletionStage<DrainOutcome> drained = high.members().drain("high", "alice");
        world.pass(Duration.ofMinutes(10));
        assertThat(drained.toCompletableFuture()).isCompletedWithValue(DrainOutcome.STORED);
        assertThat(world.leader()).isEqualTo("low");
    }

    @Test
    void work_that_outlasts_the_drain_time_keeps_leadership_and_lets_the_next_try_wait_longer() {
        SteeredWorld.Node low = world.start("low", preempting(0));
        LeaderWork work = low.election().beginWork().orElseThrow();
        world.start("high", preempting(1));
        world.pass(MINUTE.plusSeconds(10));
        assertThat(low.election().beginWork()).as("it drains").isEmpty();
        long token = low.token();
        world.pass(Duration.ofSeconds(30));
        assertThat(low.events(LeadershipEvent.Resumed.class)).hasSize(1);
        assertThat(low.token()).isEqualTo(token);
        LeaderWork more = low.election().beginWork().orElseThrow();
        more.close();
        work.close();
        world.pass(MINUTE);
        assertThat(world.leader()).as("the wait has doubled").isEqualTo("low");
        world.pass(MINUTE);
        assertThat(world.leader()).isEqualTo("high");
    }

    @Test
    void an_operator_ends_the_leadership_also_while_the_leader_drains_by_itself() {
        SteeredWorld.Node low = world.start("low", preempting(0));
        LeaderWork work = low.election().beginWork().orElseThrow();
        world.start("high", preempting(1));
        world.pass(MINUTE.plusSeconds(10));
        assertThat(low.election().beginWork()).as("it drains").isEmpty();
        low.election().abdicate(Abdication.toAnyone().requestedBy("alice"));
        world.pass(Duration.ofSeconds(40));
        assertThat(low.events(LeadershipEvent.Resumed.class)).isEmpty();
        assertThat(work.isCurrent()).isFalse();
        assertThat(world.leader()).isEqualTo("high");
    }

    @Test
    void an_order_to_drain_in_the_middle_of_it_is_recorded_and_waits_for_work_anew() {
        SteeredWorld.Node low = world.start("low", preempting(0));
        LeaderWork work = low.election().beginWork().orElseThrow();
        world.start("high", preempting(1));
        world.pass(MINUTE.plusSeconds(10));
        assertThat(low.election().beginWork()).as("it drains").isEmpty();
        world.pass(Duration.ofSeconds(15));
        low.members().drain("low", "alice");
        world.pass(Duration.ofSeconds(20));
        assertThat(work.isCurrent()).isTrue();
        assertThat(low.events(LeadershipEvent.Resumed.class)).isEmpty();
        work.close();
        world.pass(Duration.ofSeconds(5));
        LeadershipRecord ended = world.history().get(1);
        assertThat(ended.reason()).isEqualTo(LossReason.ABDICATED);
        assertThat(ended.requestedBy()).isEqualTo("alice");
        assertThat(world.leader()).isEqualTo("high");
    }

    @Test
    void a_stop_ends_it_too() {
        SteeredWorld.Node low = world.start("low", preempting(0));
        LeaderWork work = low.election().beginWork().orElseThrow();
        world.start("high", preempting(1));
        world.pass(MINUTE.plusSeconds(10));
        CompletionStage<Void> stopped = low.engine().stop();
        world.pass(Duration.ofSeconds(40));
        assertThat(stopped.toCompletableFuture()).isDone();
        assertThat(work.isCurrent()).isFalse();
        assertThat(world.leader()).isEqualTo("high");
    }

    /** It comes for three minutes and goes for one: 30 times. */
    @Test
    void a_preferred_node_that_comes_and_goes_moves_leadership_less_and_less() {
        world.start("steady", preempting(0));
        for (int round = 0; round < 30; round++) {
            SteeredWorld.Node flapping = world.start("flapping", preempting(5));
            world.pass(Duration.ofMinutes(3));
            world.stop(flapping);
            world.pass(MINUTE);
            assertThat(world.leader()).isEqualTo("steady");
        }
        long handOvers = world.history().stream()
                .filter(past -> past.reason() == LossReason.PREEMPTED)
                .count();
        assertThat(handOvers).isBetween(3L, mostHandOvers(Duration.ofHours(2)));
        assertThat(world.changes()).as("one there and one back").isEqualTo(1 + 2 * (int) handOvers);
    }

    /** By the rule: each waits a minute, doubled for those among the last ten leaderships, of which every second one ends by one. */
    private static long mostHandOvers(Duration time) {
        long handOvers = 0;
        long minutes = 1;
        while (minutes <= time.toMinutes()) {
            handOvers++;
            minutes += 1L << Math.min(handOvers, 5);
        }
        return handOvers;
    }

    @Test
    void after_the_maximum_tenure_another_candidate_leads() {
        Steering rotating = Steering.none().tenure(MINUTE, Duration.ofHours(1));
        world.start("a", rotating);
        world.pass(Duration.ofHours(2));
        assertThat(world.leader()).as("there is no other").isEqualTo("a");
        world.start("b", rotating);
        world.pass(MINUTE);
        assertThat(world.leader()).isEqualTo("b");
        world.pass(Duration.ofHours(1));
        assertThat(world.leader()).isEqualTo("a");
        assertThat(world.history().get(1).requestedBy()).isEqualTo("maximum tenure");
    }

    @Test
    void what_nobody_has_configured_reads_nothing() {
        world.start("a", Steering.none().priority(2));
        world.start("b", Steering.none());
        world.pass(Duration.ofHours(1));
        assertThat(world.reads()).isZero();
    }

    private static Steering preempting(int priority) {
        return Steering.none().priority(priority).preempt(true);
    }
}
