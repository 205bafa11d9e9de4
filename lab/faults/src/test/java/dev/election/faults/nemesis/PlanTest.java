package dev.election.faults.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlanTest {

    @Test
    void the_same_seed_gives_the_same_plan() {
        assertThat(Plan.soak(Plan.Kind.STANDALONE, 3, 100)).isEqualTo(Plan.soak(Plan.Kind.STANDALONE, 3, 100));
        assertThat(Plan.soak(Plan.Kind.STANDALONE, 3, 100)).isNotEqualTo(Plan.soak(Plan.Kind.STANDALONE, 4, 100));
    }

    @Test
    void several_groups_together_see_every_fault_of_every_target() {
        Set<String> seen = IntStream.range(0, 3)
                .mapToObj(group -> Plan.once(Plan.Kind.STANDALONE, 1, group, 3))
                .flatMap(PlanTest::steps)
                .map(step -> step.fault() + " " + step.target())
                .collect(Collectors.toSet());
        Set<String> all = Stream.<Fault[]>of(NodeFault.values(), LinkFault.values(), StoreFault.values())
                .flatMap(Arrays::stream)
                .flatMap(fault -> fault.targets().stream().map(target -> fault + " " + target))
                .collect(Collectors.toSet());
        assertThat(seen).isEqualTo(all);
    }

    @Test
    void a_plan_without_deaths_ends_no_process() {
        assertThat(steps(Plan.withoutDeaths(Plan.Kind.STANDALONE, 1, 500)).map(Step::fault))
                .doesNotContain(NodeFault.KILL, NodeFault.TERMINATE, NodeFault.WRONG_WALL_CLOCK, StoreFault.AMNESIA)
                .contains(NodeFault.LONG_PAUSE, LinkFault.CUT, StoreFault.KILL_LOSING_DATA);
    }

    @Test
    void faults_that_overlap_in_time_are_of_different_families() {
        List<List<Step>> pairs = Plan.soak(Plan.Kind.STANDALONE, 1, 500).episodes().stream()
                .filter(episode -> episode.size() > 1)
                .toList();
        assertThat(pairs)
                .hasSizeBetween(50, 250)
                .noneMatch(pair ->
                        pair.get(0).fault() instanceof LinkFault && pair.get(1).fault() instanceof LinkFault)
                .noneMatch(pair ->
                        pair.get(0).fault() instanceof StoreFault && pair.get(1).fault() instanceof StoreFault)
                .noneMatch(pair ->
                        pair.get(0).fault() instanceof NodeFault && pair.get(1).fault() instanceof NodeFault);
    }

    @Test
    void a_fault_that_must_be_alone_never_overlaps_with_another() {
        List<List<Step>> all = Plan.soak(Plan.Kind.KUBERNETES, 1, 500).episodes();
        assertThat(all)
                .anyMatch(episode -> episode.size() > 1)
                .anyMatch(episode -> episode.get(0).fault().isAlone())
                .allMatch(episode -> episode.size() == 1
                        || episode.stream().noneMatch(step -> step.fault().isAlone()));
    }

    @Test
    void a_group_of_its_own_sees_every_fault_of_its_kind_before_any_comes_again_and_never_two_at_a_time() {
        List<List<Step>> episodes = Plan.alone(Plan.Kind.SNAPSHOTS, 1, 100).episodes();
        int kinds = RestoreFault.values().length;
        assertThat(episodes).hasSize(100).allMatch(episode -> episode.size() == 1);
        for (int i = 0; i + kinds <= 100; i += kinds) {
            assertThat(episodes.subList(i, i + kinds).stream()
                            .map(episode -> episode.get(0).fault()))
                    .containsExactlyInAnyOrder(RestoreFault.values());
        }
    }

    @Test
    void a_list_of_faults_comes_in_its_order() {
        assertThat(steps(Plan.of(List.of(LinkFault.CUT, NodeFault.HANGING_WORK), 1))
                        .map(step -> step.fault() + " " + step.target()))
                .containsExactly("CUT LEADER", "CUT FOLLOWER", "CUT ALL", "HANGING_WORK LEADER");
    }

    private static Stream<Step> steps(Plan plan) {
        return plan.episodes().stream().flatMap(List::stream);
    }
}
