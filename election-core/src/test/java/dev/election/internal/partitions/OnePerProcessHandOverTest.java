package dev.election.internal.partitions;

import static dev.election.internal.partitions.PartitionedWorld.LEASE;
import static dev.election.internal.partitions.PartitionedWorld.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LossReason;
import dev.election.Steering;
import dev.election.internal.partitions.PartitionedWorld.Process;
import dev.election.testing.EachEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What moves in a group of three partitions, of which each process leads one at most. */
class OnePerProcessHandOverTest {

    private static final Duration STEP = Duration.ofMillis(50);
    private static final Duration TENURE = Duration.ofMinutes(1);

    /** The time for which a better process is left to the worst leader: its tenure, two leases and its time to drain. */
    private static final Duration HANDED_OVER =
            TENURE.plus(LEASE.multipliedBy(2)).plusSeconds(30);

    /** The time without a leader that some orderly hand-overs may take. */
    private static final Duration PRESENTLY = Duration.ofMillis(500);

    private final PartitionedWorld world = new PartitionedWorld();
    private final List<Process> processes = new ArrayList<>();
    private final List<String> handOvers = new ArrayList<>();

    /** The processes that have begun to hand over, and to whom. */
    private final List<String> tries = new ArrayList<>();

    /** How long each partition had no leader, summed up. */
    private Duration leaderless = Duration.ZERO;

    private Process start(String id, Steering steering) {
        Process process = world.create(id, builder -> builder.partitions("orders", 3)
                .onePerProcess("orders")
                .steering(steering));
        process.engine.addListener(new EachEvent(event -> {
            if (event instanceof LeadershipEvent.Lost lost && lost.reason() == LossReason.PREEMPTED) {
                handOvers.add(lost.election() + " of " + id);
            }
            if (event instanceof LeadershipEvent.Resigning resigning) {
                tries.add(id + " for " + String.valueOf(resigning.requestedBy()).split(" ", 2)[0]);
            }
        }));
        processes.add(process);
        process.engine.start();
        return process;
    }

    private void pass(Duration time) {
        for (Duration past = Duration.ZERO; past.compareTo(time) < 0; past = past.plus(STEP)) {
            world.pass(STEP);
            assertThat(processes).allMatch(process -> process.orders.held().size() <= 1);
            long led = processes.stream()
                    .filter(process -> !process.orders.held().isEmpty())
                    .count();
            leaderless = leaderless.plus(STEP.multipliedBy(3 - led));
        }
    }

    private List<String> leaders() {
        return processes.stream()
                .filter(process -> !process.orders.held().isEmpty())
                .map(process -> process.engine.node())
                .toList();
    }

    @Test
    void of_three_leaders_one_hands_over_to_a_better_process_that_joins() {
        IntStream.range(0, 3).forEach(index -> start("p" + index, preempting(0)));
        world.pass(START.plus(LEASE));
        start("better", preempting(5));
        pass(LEASE.multipliedBy(8));
        assertThat(leaders()).contains("better");
        assertThat(handOvers).as("leaderless for %s", leaderless).hasSize(1);
        assertThat(leaderless).isLessThan(PRESENTLY);
    }

    @Test
    void the_worst_leaders_hand_over_to_those_that_are_better_one_to_each() {
        int[] priorities = {3, 1, 2};
        IntStream.range(0, 3).forEach(index -> start("p" + index, preempting(priorities[index])));
        world.pass(START.plus(LEASE));
        start("better", preempting(5));
        start("best", preempting(6));
        pass(TENURE.plus(LEASE));
        assertThat(leaders()).containsExactlyInAnyOrder("p0", "better", "best");
        assertThat(handOvers).as("leaderless for %s", leaderless).hasSize(2);
        assertThat(leaderless).isLessThan(PRESENTLY);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void where_the_work_of_the_worst_leaders_never_ends_the_next_one_hands_over(int busy) {
        IntStream.range(0, 3).forEach(index -> start("p" + index, preempting(index)));
        world.pass(START.plus(LEASE));
        processes.subList(0, busy).forEach(OnePerProcessHandOverTest::work);
        start("better", preempting(5));
        pass(HANDED_OVER.multipliedBy(busy));
        assertThat(handOvers).as("in the time of the worst ones").isEmpty();
        pass(HANDED_OVER);
        assertThat(leaders()).hasSize(3).contains("better").doesNotContain("p" + busy);
        assertThat(handOvers).hasSize(1);
        assertThat(leaderless).isLessThan(PRESENTLY);
    }

    @Test
    void while_the_work_of_two_leaders_goes_on_each_of_two_better_processes_is_left_to_one_of_them() {
        int[] priorities = {0, 1, 10};
        IntStream.range(0, 3).forEach(index -> start("p" + index, preempting(priorities[index])));
        world.pass(START.plus(LEASE));
        List<LeaderWork> works = processes.subList(0, 2).stream()
                .map(OnePerProcessHandOverTest::work)
                .toList();
        start("better", preempting(5));
        start("best", preempting(6));
        pass(HANDED_OVER.multipliedBy(3));
        assertThat(tries).contains("p0 for best", "p1 for better").doesNotContain("p1 for best");
        assertThat(handOvers).isEmpty();
        works.forEach(LeaderWork::close);
        pass(HANDED_OVER.multipliedBy(4));
        assertThat(leaders()).containsExactlyInAnyOrder("p2", "better", "best");
        assertThat(handOvers).hasSize(2);
        assertThat(leaderless).isLessThan(PRESENTLY);
    }

    /** Begins work as the leader that the process is. */
    private static LeaderWork work(Process process) {
        int led = process.orders.held().iterator().next();
        return process.orders.election(led).beginWork().orElseThrow();
    }

    @Test
    void nobody_hands_over_to_a_better_process_that_a_partition_without_leader_is_for() {
        IntStream.range(0, 2).forEach(index -> start("p" + index, preempting(0)));
        world.pass(START.plus(TENURE).plus(LEASE));
        start("better", preempting(5));
        world.pass(START);
        leaderless = Duration.ZERO;
        pass(LEASE.multipliedBy(8));
        assertThat(leaders()).containsExactly("p0", "p1", "better");
        assertThat(handOvers).isEmpty();
        assertThat(leaderless).isZero();
    }

    @Test
    void after_the_maximum_tenure_they_hand_over_one_after_the_other() {
        Steering rotating = Steering.none().tenure(TENURE, TENURE.multipliedBy(3));
        IntStream.range(0, 4).forEach(index -> start("p" + index, rotating));
        world.pass(START.plus(LEASE));
        pass(TENURE.multipliedBy(3).plus(LEASE.multipliedBy(3)));
        assertThat(leaders()).hasSize(3);
        assertThat(handOvers)
                .as("leaderless for %s", leaderless)
                .hasSize(3)
                .extracting(told -> told.substring(0, told.indexOf(' ')))
                .doesNotHaveDuplicates();
        assertThat(leaderless).isLessThan(PRESENTLY);
    }

    private static Steering preempting(int priority) {
        return Steering.none().priority(priority).preempt(true);
    }
}
