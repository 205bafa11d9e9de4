package dev.election.internal.partitions;

import static dev.election.internal.partitions.PartitionedWorld.LEASE;
import static dev.election.internal.partitions.PartitionedWorld.SOON;
import static dev.election.internal.partitions.PartitionedWorld.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.Preference;
import dev.election.Steering;
import dev.election.internal.partitions.PartitionedWorld.Process;
import dev.election.members.MemberSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How often partitions move while all processes are replaced one after the other. */
class RollingDeploymentTest {

    /** In the build of each change half as many as in {@code -Pall}: it takes a tenth of the time. */
    private static final int PROCESSES = Long.getLong("election.simulation.seeds", 100) <= 100 ? 5 : 10;

    private static final int COUNT = 32 * PROCESSES / 5;

    /** Of 64 partitions at most one moved more than twice in 60 simulated deployments, and five to fourteen where chance decides what moves. */
    private static final int FEW = 4;

    /** From the start of a process until it has its share, in leases. */
    private static final int SETTLED = 6;

    private final PartitionedWorld world = new PartitionedWorld();
    private final Map<String, Integer> leaderships = new TreeMap<>();

    private Process start(String id, Preference prefer, String version) {
        Process process = world.create(id, builder -> builder.partitions("orders", COUNT)
                .steering(Steering.none().prefer(prefer))
                .members(new MemberSettings("", "", version, "", Map.of(), Map.of())));
        process.engine.addListener(new LeadershipListener() {
            @Override
            public void onAcquired(LeadershipEvent.Acquired event) {
                leaderships.merge(event.election(), 1, Integer::sum);
            }
        });
        process.engine.start();
        return process;
    }

    /**
     * In each step the new process takes its share, and that of the stopped one is shared out: the least that keeps all even. What was shared out moves
     * again to the next new process, and stays there.
     */
    @Test
    void a_partition_moves_less_than_twice_on_average_and_hardly_one_more_than_twice() {
        int share = (COUNT + PROCESSES) / (PROCESSES + 1);
        assertThat(deploy(Preference.NONE))
                .isLessThanOrEqualTo(2 * PROCESSES * share)
                .isLessThan(2 * COUNT);
        assertThat(leaderships.values()).filteredOn(moves -> moves > 2).hasSizeLessThanOrEqualTo(FEW);
    }

    /** The first new processes get more than they keep, since they are the only newest ones. */
    @Test
    void where_the_newest_should_lead_few_partitions_move_twice() {
        assertThat(deploy(Preference.NEWEST)).isBetween(COUNT, COUNT + COUNT / 2);
    }

    private int deploy(Preference prefer) {
        List<Process> old = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            old.add(start("old" + i, prefer, "1"));
        }
        world.pass(START.plus(LEASE.multipliedBy(30)));
        leaderships.clear();
        for (int i = 0; i < PROCESSES; i++) {
            start("new" + i, prefer, "2");
            world.pass(SOON.plus(LEASE.multipliedBy(SETTLED)));
            old.get(i).stop();
            assertThat(world.shares().stream().mapToInt(Integer::intValue).sum())
                    .isEqualTo(COUNT);
        }
        world.pass(LEASE.multipliedBy(20));
        List<Integer> shares = world.shares();
        assertThat(shares.subList(0, PROCESSES)).containsOnly(0);
        assertThat(shares.subList(PROCESSES, 2 * PROCESSES)).containsOnly(COUNT / PROCESSES, COUNT / PROCESSES + 1);
        return leaderships.values().stream().mapToInt(Integer::intValue).sum();
    }
}
