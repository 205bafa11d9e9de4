package dev.election.internal.partitions;

import static dev.election.internal.partitions.PartitionedWorld.LEASE;
import static dev.election.internal.partitions.PartitionedWorld.SOON;
import static dev.election.internal.partitions.PartitionedWorld.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.LeaderRecovery;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.Role;
import dev.election.internal.partitions.PartitionedWorld.Process;
import dev.election.testing.LoggedLines;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A group of three partitions, of which each process leads one at most. */
class OnePerProcessTest {

    private final PartitionedWorld world = new PartitionedWorld();
    private final List<Process> processes = new ArrayList<>();
    private final List<String> acquired = new ArrayList<>();

    private List<Process> create(int count) {
        IntStream.range(0, count).forEach(index -> {
            Process process = world.createForOne("p" + index, 3);
            process.engine.addListener(new LeadershipListener() {
                @Override
                public void onAcquired(LeadershipEvent.Acquired event) {
                    acquired.add(process.engine.node());
                }
            });
            processes.add(process);
        });
        return processes;
    }

    private long leading() {
        assertThat(processes)
                .allMatch(process -> process.orders.held().size() <= 1)
                .allMatch(
                        process -> IntStream.range(0, 3).filter(process::works).count() <= 1);
        return processes.stream()
                .filter(process -> !process.orders.held().isEmpty())
                .count();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void as_many_processes_lead_as_there_are_but_three_at_most(int count) {
        create(count).forEach(process -> process.engine.start());
        world.pass(START.plus(LEASE));
        long most = Math.min(3, count);
        assertThat(leading()).isEqualTo(most);
        assertThat(acquired).doesNotHaveDuplicates().hasSize(Math.toIntExact(most));

        try (LoggedLines lines = new LoggedLines("dev.election")) {
            for (int i = 0; i < 60; i++) {
                world.pass(LEASE.dividedBy(3));
                assertThat(leading()).isEqualTo(most);
            }
            assertThat(acquired).as("no moves at rest").hasSize(Math.toIntExact(most));
            assertThat(lines.withLevels()).isEmpty();
        }
        assertThat(processes).allMatch(process -> process.orders.withoutLeader().isEmpty());
    }

    @Test
    void a_free_process_takes_over_from_one_that_is_killed_within_a_lease() {
        create(5).forEach(process -> process.engine.start());
        world.pass(START.plus(LEASE));
        for (int left = 4; left >= 2; left--) {
            Process killed = processes.stream()
                    .filter(process -> !process.orders.held().isEmpty())
                    .findFirst()
                    .orElseThrow();
            killed.crash();
            processes.remove(killed);
            world.pass(LEASE.plusMillis(300));
            assertThat(leading()).isEqualTo(Math.min(3, left));
        }
        assertThat(acquired).doesNotHaveDuplicates();
    }

    @Test
    void two_that_are_free_at_once_go_to_two_processes_and_one_process_never_works_for_both() {
        create(4).forEach(process -> process.engine.start());
        world.pass(START.plus(LEASE));
        List<Process> leaders = processes.stream()
                .filter(process -> !process.orders.held().isEmpty())
                .toList();
        acquired.clear();
        leaders.subList(0, 2).forEach(leader -> {
            leader.crash();
            processes.remove(leader);
        });
        for (int i = 0; i < 40; i++) {
            world.pass(LEASE.dividedBy(15));
            leading();
        }
        assertThat(leading()).isEqualTo(2);
        assertThat(acquired).hasSize(1);
    }

    /** Each of the free processes comes first or second in a few of the partitions only. */
    @Test
    void many_that_are_free_at_once_are_led_again_within_a_lease_and_a_half() {
        for (int round = 0; round < 5; round++) {
            PartitionedWorld many = new PartitionedWorld();
            List<Process> all = IntStream.range(0, 16)
                    .mapToObj(index -> many.createForOne("p" + index, 8))
                    .toList();
            all.forEach(process -> process.engine.start());
            many.pass(START.plus(LEASE));
            List<Process> free = all.stream()
                    .filter(process -> process.orders.held().isEmpty())
                    .toList();
            assertThat(free).hasSize(8);
            all.stream().filter(process -> !free.contains(process)).forEach(Process::crash);
            many.pass(LEASE.multipliedBy(3).dividedBy(2));
            assertThat(free).allMatch(process -> process.orders.held().size() == 1);
        }
    }

    @Test
    void a_process_that_abdicates_leaves_its_partition_and_may_lead_another() {
        create(2).forEach(process -> process.engine.start());
        world.pass(START.plus(LEASE));
        Process first = processes.get(0);
        int left = first.orders.held().get(0);
        first.orders.election(left).abdicate(Abdication.toAnyone().coolingDownFor(LEASE.multipliedBy(2)));
        world.pass(SOON);
        assertThat(first.orders.held()).hasSize(1).doesNotContain(left);
        assertThat(leading()).isEqualTo(2);
    }

    @Test
    void the_others_of_a_leader_are_observed_and_told_as_no_change_of_role() {
        List<LeadershipEvent> roles = new ArrayList<>();
        create(2)
                .forEach(process -> process.engine.addListener(new LeadershipListener() {
                    @Override
                    public void onRoleChanged(LeadershipEvent.RoleChanged event) {
                        roles.add(event);
                    }
                }));
        processes.forEach(process -> process.engine.start());
        world.pass(START.plus(LEASE));
        assertThat(IntStream.range(0, 3)
                        .mapToObj(
                                index -> processes.get(0).orders.election(index).role()))
                .containsExactlyInAnyOrder(Role.LEADER, Role.OBSERVER, Role.OBSERVER);
        int other = processes.get(1).orders.held().get(0);
        assertThat(processes.get(0).orders.owner(other))
                .get()
                .extracting("node")
                .isEqualTo("p1");
        assertThat(roles).isEmpty();
    }

    @Test
    void a_partition_without_leader_is_missed_only_while_a_process_is_free_to_lead_it() {
        create(3).forEach(process -> process.engine.start());
        world.pass(START.plus(LEASE));
        Process first = processes.get(0);
        Process other = processes.get(1);
        int left = first.orders.held().get(0);
        first.orders.election(left).abdicate(Abdication.toAnyone().coolingDownFor(LEASE.multipliedBy(2)));
        world.pass(SOON);
        assertThat(other.orders.withoutLeader()).containsExactly(left);

        world.pass(LEASE.multipliedBy(2));
        assertThat(first.orders.held()).containsExactly(left);
        first.crash();
        world.pass(LEASE.multipliedBy(6));
        assertThat(other.orders.owner(left)).isEmpty();
        assertThat(other.orders.withoutLeader()).isEmpty();
    }

    @Test
    void partitions_are_missed_where_all_processes_have_another_count_than_the_store() {
        Process other = world.createForOne("other", 4);
        other.engine.start();
        world.pass(START);
        other.stop();
        create(2).forEach(process -> process.engine.start());
        world.pass(START.plus(LEASE));
        assertThat(processes.get(0).orders.otherCount()).hasValue("4");
        assertThat(leading()).isZero();
        assertThat(processes.get(0).orders.withoutLeader())
                .as("as many as could be led")
                .containsExactly(0, 1);
    }

    @Test
    void a_drained_process_beside_those_that_lead_is_no_reason_to_warn() {
        create(3).forEach(process -> process.engine.start());
        world.pass(START.plus(LEASE));
        try (LoggedLines lines = new LoggedLines("dev.election")) {
            processes.get(0).engine.members().orElseThrow().drain("p0", "alice");
            world.pass(LEASE.multipliedBy(3));
            assertThat(leading()).isEqualTo(2);
            assertThat(lines.warnings()).isEmpty();
        }
    }

    @Test
    void a_process_whose_recovery_fails_tries_one_partition_once_in_a_pause() {
        create(2);
        Process failing = processes.get(1);
        AtomicInteger tries = new AtomicInteger();
        failing.engine.addRecovery("failing", new LeaderRecovery() {
            @Override
            public String election() {
                return "orders";
            }

            @Override
            public void recover(LeaderWork work) {
                // It ends some day, so that a process without a pause ends, too.
                if (tries.incrementAndGet() < 100) {
                    throw new IllegalStateException("no licence");
                }
            }
        });
        processes.get(0).engine.start();
        world.pass(START);
        failing.engine.start();
        world.pass(START);
        assertThat(tries).hasValue(1);
        assertThat(leading()).isEqualTo(1);
        assertThat(failing.orders.withoutLeader()).as("free, and wanted").hasSize(1);

        world.pass(LEASE);
        assertThat(tries).hasValue(2);
        world.pass(LEASE.multipliedBy(6));
        assertThat(tries).as("after pauses of 1, 2 and 4 leases").hasValue(4);
    }

    @Test
    void a_process_that_has_led_another_partition_meanwhile_cools_down_for_the_whole_time() {
        Process only = create(1).get(0);
        only.engine.start();
        world.pass(START);
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int led = only.orders.held().get(0);
            left.add(led);
            only.orders.election(led).abdicate(Abdication.toAnyone().coolingDownFor(LEASE.multipliedBy(4)));
            world.pass(SOON);
        }
        assertThat(left).doesNotHaveDuplicates();
        world.pass(LEASE.multipliedBy(3));
        assertThat(only.orders.held()).isEmpty();
        world.pass(LEASE);
        assertThat(only.orders.held()).containsExactly(left.get(0));
        world.pass(LEASE);
        assertThat(left.subList(1, 3))
                .as("observed after that time, too")
                .allMatch(index -> only.orders.election(index).role() == Role.OBSERVER);
    }

    @Test
    void work_that_goes_on_after_the_drain_time_keeps_its_process_from_other_partitions() {
        Process only = create(1).get(0);
        only.engine.start();
        world.pass(START);
        Election led = only.orders.election(only.orders.held().get(0));
        LeaderWork work = led.beginWork().orElseThrow();
        led.abdicate(Abdication.toAnyone().coolingDownFor(LEASE.multipliedBy(9)));
        world.pass(LEASE.multipliedBy(6));
        assertThat(led.isLeader()).isFalse();
        assertThat(leading()).isZero();
        work.close();
        world.pass(SOON);
        assertThat(leading()).isEqualTo(1);
    }

    @Test
    void work_that_goes_on_after_the_lease_is_lost_keeps_its_process_from_other_partitions() {
        Process first = create(2).get(0);
        first.engine.start();
        world.pass(START);
        Election led = first.orders.election(first.orders.held().get(0));
        LeaderWork work = led.beginWork().orElseThrow();
        first.stall();
        world.pass(LEASE.multipliedBy(2));
        processes.get(1).engine.start();
        world.pass(START);
        first.resume();
        assertThat(led.leader()).get().extracting("node").isEqualTo("p1");
        world.pass(LEASE);
        assertThat(first.orders.held()).isEmpty();
        work.close();
        world.pass(SOON);
        assertThat(leading()).isEqualTo(2);
    }

    @Test
    void it_has_no_keys_and_is_a_group_that_is_not_too_large() {
        Process process = world.createForOne("a", 3);
        assertThat(process.orders.isOnePerProcess()).isTrue();
        assertThatIllegalStateException()
                .isThrownBy(() -> process.orders.forKey("key"))
                .withMessageContaining("The group 'orders' has no keys");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> world.createForOne("b", 33))
                .withMessageContaining("'orders' have 33 partitions, but can have at most 32")
                .withMessageContaining("observes each other one by a request of its own");
    }
}
