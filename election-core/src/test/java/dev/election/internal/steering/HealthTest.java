package dev.election.internal.steering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.AssignedRole;
import dev.election.LossReason;
import dev.election.Steering;
import dev.election.members.Downtime;
import dev.election.members.Successor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Processes that are told every 5 s whether they are up, with time in the test's hand. Lease 15 s, minimum tenure a minute. */
class HealthTest {

    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Steering WATCHED = Steering.none().abdicateWhenDown(true);

    private final SteeredWorld world = new SteeredWorld();
    private final List<SteeredWorld.Node> asked = new ArrayList<>();
    private final Map<SteeredWorld.Node, String> down = new HashMap<>();

    private SteeredWorld.Node start(String id, Steering steering) {
        SteeredWorld.Node node = world.start(id, steering);
        asked.add(node);
        return node;
    }

    /** Asks all of them again and again. */
    private void pass(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(PAUSE)) {
            asked.forEach(node -> answer(node, down.get(node)));
            world.pass(PAUSE);
        }
    }

    private void answer(SteeredWorld.Node node, @Nullable String problem) {
        node.engine().reportHealth(problem, world.loop.nanos());
    }

    @Test
    void a_leader_that_is_down_hands_over_to_a_candidate_that_is_up() {
        SteeredWorld.Node first = start("first", WATCHED);
        start("second", WATCHED);
        pass(MINUTE);
        down.put(first, "db");
        pass(PAUSE.multipliedBy(2));
        assertThat(first.members().own().downtime()).isEmpty();
        pass(PAUSE);
        assertThat(first.members().own().downtime()).map(Downtime::reason).contains("db");
        pass(MINUTE);
        assertThat(world.leader()).isEqualTo("second");
        assertThat(world.history().get(1).reason()).isEqualTo(LossReason.PREEMPTED);
        assertThat(world.history().get(1).requestedBy()).contains("second should lead", "the leader is down: db");
    }

    @Test
    void it_leads_no_more_after_its_return_unless_it_should() {
        SteeredWorld.Node first = start("first", WATCHED);
        start("second", WATCHED);
        down.put(first, "db");
        pass(MINUTE.multipliedBy(2));
        assertThat(world.leader()).isEqualTo("second");
        down.clear();
        pass(MINUTE.multipliedBy(10));
        assertThat(first.members().own().downtime()).isEmpty();
        assertThat(world.leader()).isEqualTo("second");
        assertThat(world.changes()).isEqualTo(2);
    }

    @Test
    void two_answers_in_a_row_do_not_count() {
        SteeredWorld.Node first = start("first", WATCHED);
        start("second", WATCHED);
        for (int i = 0; i < 100; i++) {
            down.put(first, "db");
            pass(PAUSE.multipliedBy(2));
            down.clear();
            pass(PAUSE);
        }
        assertThat(first.members().own().downtime()).isEmpty();
        assertThat(world.changes()).isOne();
    }

    @Test
    void if_everybody_is_down_whoever_leads_keeps_leading() {
        SteeredWorld.Node first = start("first", WATCHED);
        down.put(first, "db");
        down.put(start("second", WATCHED), "db");
        down.put(start("third", WATCHED), "db");
        pass(Duration.ofMinutes(30));
        assertThat(world.leader()).isEqualTo("first");
        assertThat(world.changes()).isOne();
        assertThat(first.members().succession("reports"))
                .extracting(Successor::isEligible)
                .containsExactly(true, true, true);
    }

    @Test
    void a_leader_hands_over_only_to_a_candidate_that_was_found_up_after_its_own_third_failure() {
        SteeredWorld.Node first = start("first", WATCHED);
        SteeredWorld.Node second = start("second", WATCHED);
        pass(MINUTE);
        asked.remove(second);
        down.put(first, "db");
        pass(Duration.ofMinutes(10));
        assertThat(second.members().own().downtime()).isEmpty();
        assertThat(world.leader())
                .as("nothing is known of the health of the other")
                .isEqualTo("first");
        asked.add(second);
        pass(MINUTE);
        assertThat(world.leader()).isEqualTo("second");
    }

    @Test
    void an_answer_to_a_question_from_before_does_not_count() {
        SteeredWorld.Node first = start("first", WATCHED);
        SteeredWorld.Node second = start("second", WATCHED);
        pass(MINUTE);
        long before = world.loop.nanos();
        asked.remove(second);
        down.put(first, "db");
        pass(MINUTE);
        second.engine().reportHealth(null, before);
        pass(Duration.ofMinutes(10));
        assertThat(world.leader()).isEqualTo("first");
    }

    @Test
    void a_candidate_that_is_up_leads_after_a_crash_rather_than_a_preferred_one_that_is_down() {
        SteeredWorld.Node first = start("first", WATCHED);
        down.put(start("preferred", WATCHED.priority(9)), "db");
        start("second", WATCHED);
        pass(MINUTE);
        asked.remove(first);
        first.crash();
        pass(MINUTE);
        assertThat(world.leader()).isEqualTo("second");
    }

    @Test
    void a_leader_without_this_keeps_leading_while_others_come_and_go() {
        SteeredWorld.Node first = start("first", Steering.none());
        start("second", WATCHED);
        down.put(first, "db");
        pass(Duration.ofMinutes(10));
        assertThat(world.leader()).isEqualTo("first");
    }

    @Test
    void the_health_of_one_node_that_flaps_moves_leadership_at_most_six_times_in_an_hour() {
        SteeredWorld.Node flapping = start("flapping", WATCHED.priority(1).preempt(true));
        start("steady", WATCHED.preempt(true));
        for (int i = 0; i < 30; i++) {
            down.put(flapping, "db");
            pass(MINUTE);
            down.clear();
            pass(MINUTE);
        }
        assertThat(world.changes() - 1).isBetween(1, 6);
    }

    @Test
    void the_health_of_all_nodes_that_flaps_moves_leadership_not_at_all() {
        SteeredWorld.Node first = start("first", WATCHED);
        SteeredWorld.Node second = start("second", WATCHED);
        SteeredWorld.Node third = start("third", WATCHED);
        for (int i = 0; i < 30; i++) {
            for (SteeredWorld.Node node : List.of(first, second, third)) {
                down.put(node, "db");
            }
            pass(MINUTE);
            down.clear();
            pass(MINUTE);
        }
        assertThat(world.changes()).isOne();
    }

    /** Starts a leader that reports itself down and goes on to lead, since its steering doesn't look at health. */
    private SteeredWorld.Node downLeader() {
        SteeredWorld.Node leader = start("leader", Steering.none());
        down.put(leader, "db");
        return leader;
    }

    private static Set<String> answeredBy(SteeredWorld.Node node) {
        return node.members().own().standing().orElseThrow().upDespite().keySet();
    }

    private static String instance(SteeredWorld.Node node) {
        return node.members().own().instance();
    }

    @Test
    void only_a_leader_that_is_down_is_answered_and_only_by_a_candidate() {
        SteeredWorld.Node leader = downLeader();
        SteeredWorld.Node second = start("second", WATCHED);
        SteeredWorld.Node observer = start("observer", WATCHED);
        observer.election().setRole(AssignedRole.OBSERVER);
        down.put(start("third", WATCHED), "db");
        pass(MINUTE);
        assertThat(answeredBy(second)).containsExactly(instance(leader));
        assertThat(answeredBy(observer)).isEmpty();
        answer(leader, null);
        world.pass(PAUSE);
        assertThat(answeredBy(leader)).as("the leader itself").isEmpty();
    }

    @Test
    void an_answer_ends_with_one_that_says_down() {
        downLeader();
        SteeredWorld.Node second = start("second", WATCHED);
        pass(MINUTE);
        answer(second, "db");
        world.pass(PAUSE);
        assertThat(answeredBy(second)).isEmpty();
    }

    @Test
    void a_later_answer_to_an_older_question_takes_nothing_back() {
        SteeredWorld.Node leader = downLeader();
        SteeredWorld.Node second = start("second", WATCHED);
        long before = world.loop.nanos();
        pass(MINUTE);
        second.engine().reportHealth(null, before);
        world.pass(PAUSE);
        assertThat(answeredBy(second)).containsExactly(instance(leader));
    }

    @Test
    void an_answer_counts_for_one_downtime_only() {
        SteeredWorld.Node leader = downLeader();
        SteeredWorld.Node second = start("second", WATCHED);
        pass(MINUTE);
        asked.remove(second);
        long before = world.loop.nanos();
        down.clear();
        pass(MINUTE);
        down.put(leader, "db");
        pass(MINUTE);
        second.engine().reportHealth(null, before);
        world.pass(PAUSE);
        assertThat(answeredBy(second)).isEmpty();
    }

    @Test
    void what_is_heard_of_others_meanwhile_makes_no_question_older() {
        SteeredWorld.Node leader = downLeader();
        SteeredWorld.Node second = start("second", WATCHED);
        asked.remove(second);
        pass(MINUTE);
        long question = world.loop.nanos();
        start("third", WATCHED);
        pass(MINUTE);
        second.engine().reportHealth(null, question);
        world.pass(PAUSE);
        assertThat(answeredBy(second)).containsExactly(instance(leader));
    }

    @Test
    void the_third_answer_down_needs_three_answers_up_again() {
        SteeredWorld.Node first = start("first", WATCHED);
        for (int i = 0; i < 3; i++) {
            answer(first, "db");
        }
        answer(first, null);
        answer(first, null);
        world.pass(PAUSE);
        assertThat(first.members().own().downtime()).isPresent();
        answer(first, null);
        world.pass(PAUSE);
        assertThat(first.members().own().downtime()).isEmpty();
    }

    @Test
    void a_process_that_starts_again_is_not_down_and_has_answered_nobody() {
        SteeredWorld.Node leader = downLeader();
        SteeredWorld.Node second = start("second", WATCHED);
        pass(MINUTE);
        assertThat(answeredBy(second)).isNotEmpty();
        restart(second);
        assertThat(answeredBy(second)).isEmpty();

        restart(leader);
        assertThat(leader.members().own().downtime()).isEmpty();
        answer(leader, "db");
        answer(leader, "db");
        restart(leader);
        answer(leader, "db");
        world.pass(PAUSE);
        assertThat(leader.members().own().downtime()).as("the first answer").isEmpty();
    }

    private void restart(SteeredWorld.Node node) {
        CompletionStage<Void> stopped = node.engine().stop();
        world.pass(PAUSE);
        assertThat(stopped.toCompletableFuture()).isDone();
        node.engine().start();
        world.pass(PAUSE);
    }
}
