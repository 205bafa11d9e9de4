package dev.election.faults.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Old and new nodes as real processes beside each other. Once each, in the build; {@code -Dfaults.bridge.rounds} plays those runs that
 * are left to chance more often, {@code -Dfaults.bridge.check} is another interval of the old nodes' checks.
 */
@Tag("kills-processes")
@Execution(ExecutionMode.CONCURRENT)
class BridgedDeploymentTest {

    private static final int ROUNDS = Integer.getInteger("faults.bridge.rounds", 1);
    private static final long SEED = Long.getLong("faults.bridge.seed", 17);
    private static final Pace PACE = Pace.ofCheck(Duration.parse(System.getProperty("faults.bridge.check", "PT3S")));

    @Test
    void a_rolling_deployment_has_one_master_with_the_bridge_there_and_back_and_two_without() throws Exception {
        List<Outcome> with = play(Run.ROLLING, 1);
        List<Outcome> without = play(Run.WITHOUT_BRIDGE, 1);

        assertThat(violations(with)).isEmpty();
        assertThat(with).allSatisfy(outcome -> {
            assertThat(outcome.verdict().twoMasters()).isEmpty();
            assertThat(outcome.verdict().runsByTwoMasters()).isEmpty();
        });
        assertThat(without).allSatisfy(outcome -> assertThat(outcome.verdict().runsByTwoMasters())
                .hasSizeGreaterThan(5));
    }

    @Test
    void a_killed_node_makes_no_two_masters_and_leaves_none_for_too_long() throws Exception {
        List<Outcome> outcomes = new ArrayList<>(play(Run.ROLLING_WITH_KILLS, ROUNDS));
        outcomes.addAll(play(Run.DEATH_IN_LOCK, ROUNDS));

        assertThat(violations(outcomes)).isEmpty();
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.verdict().twoMasters())
                .isEmpty());
    }

    @Test
    void an_old_node_that_was_paused_inside_its_lock_makes_two_masters_until_the_next_renewal() throws Exception {
        List<Outcome> outcomes = play(Run.PAUSE_IN_LOCK, ROUNDS);

        assertThat(violations(outcomes)).isEmpty();
        assertThat(outcomes)
                .as("the harness reaches the window")
                .anySatisfy(outcome -> assertThat(outcome.verdict().windows()).isNotEmpty());
    }

    @Test
    void a_new_leader_that_was_paused_does_not_lead_beside_its_successor() throws Exception {
        List<Outcome> outcomes = play(Run.PAUSED_LEADER, ROUNDS);

        assertThat(violations(outcomes)).isEmpty();
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.verdict().twoMasters())
                .isEmpty());
    }

    @Test
    void the_mark_of_a_node_that_abdicated_is_deleted_when_it_stops_in_order() throws Exception {
        List<Outcome> outcomes = play(Run.ABDICATED_MARK, 1);

        assertThat(violations(outcomes)).isEmpty();
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.deleted()).isEmpty());
    }

    @Test
    void a_dead_master_that_old_nodes_keep_is_reported_by_every_new_node_and_replaced_by_one_call() throws Exception {
        List<Outcome> outcomes = play(Run.DEAD_MASTER, 1);

        assertThat(violations(outcomes)).isEmpty();
        assertThat(outcomes)
                .allSatisfy(outcome -> assertThat(outcome.takeOvers()).isEqualTo(1));
    }

    @SuppressWarnings("SystemOut")
    private static List<Outcome> play(Run run, int rounds) throws Exception {
        Path folder = Files.createTempDirectory(
                Files.createDirectories(Path.of("target/bridged-deployments")),
                run.name().toLowerCase(Locale.ROOT) + "-");
        List<Outcome> outcomes = new ArrayList<>();
        try {
            for (int round = 0; round < rounds; round++) {
                outcomes.add(run.play(folder.resolve("round-" + round), PACE, SEED + round));
            }
        } finally {
            System.out.println(folder + ", check every " + PACE.check() + ", lease " + PACE.lease() + "\n"
                    + Outcome.table(outcomes));
        }
        return outcomes;
    }

    private static List<String> violations(List<Outcome> outcomes) {
        return outcomes.stream()
                .flatMap(outcome -> outcome.verdict().violations().stream()
                        .map(violation -> "seed " + outcome.seed() + ": " + violation))
                .toList();
    }
}
