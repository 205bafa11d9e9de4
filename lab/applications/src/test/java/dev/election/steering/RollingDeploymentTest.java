package dev.election.steering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LossReason;
import dev.election.spring.scheduling.CronApplication;
import dev.election.steering.SteeredGroup.Leadership;
import dev.election.testing.KillsProcesses;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Five processes are replaced by a new version, one after another: a follower, the leader, and the others. Each is stopped before
 * the new one starts.
 */
@KillsProcesses
class RollingDeploymentTest {

    private static final int NODES = 5;

    @Test
    void leadership_moves_once_to_a_new_node_where_the_newest_is_preferred_and_more_often_elsewhere(
            @TempDir Path preferring, @TempDir Path indifferent) throws Exception {
        List<Leadership> few = deploy(preferring, "newest");
        List<Leadership> many = deploy(indifferent, "none");
        System.out.println("Leadership moved " + changes(few) + " times with prefer=newest, " + changes(many)
                + " times without, in a rolling deployment of " + NODES);
        assertThat(changes(few)).isEqualTo(1);
        assertThat(changes(many)).isGreaterThan(changes(few)).isLessThanOrEqualTo(NODES);
        assertThat(List.of(few, many)).allSatisfy(history -> assertThat(history.subList(0, changes(history)))
                .extracting(Leadership::reason)
                .containsOnly(LossReason.STOPPED));
    }

    private static int changes(List<Leadership> history) {
        return history.size() - 1;
    }

    private static List<Leadership> deploy(Path folder, String preference) throws Exception {
        try (SteeredGroup group = new SteeredGroup(
                folder,
                CronApplication.class,
                "--election.prefer=" + preference,
                "--election.members.enabled=true",
                // Whoever comes next in the order has more time to ask first.
                "--election.lease=15s")) {
            for (int i = 0; i < NODES; i++) {
                group.start("--spring.application.version=1.9");
            }
            group.awaitSettled();
            group.letOthersStart();
            Set<String> old = new LinkedHashSet<>(group.nodes());
            for (String replaced : order(old, group.awaitLeader())) {
                group.stop(replaced);
                group.start("--spring.application.version=2.0");
                group.awaitLeader();
                group.awaitSettled();
            }
            assertThat(old).doesNotContain(group.awaitLeader());
            List<Leadership> history = group.history();
            group.schedulers().stop();
            return history;
        }
    }

    private static List<String> order(Set<String> nodes, String leader) {
        List<String> order = new ArrayList<>(nodes);
        order.remove(leader);
        order.add(1, leader);
        return order;
    }
}
