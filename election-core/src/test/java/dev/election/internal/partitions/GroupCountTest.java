package dev.election.internal.partitions;

import static dev.election.internal.partitions.PartitionedWorld.LEASE;
import static dev.election.internal.partitions.PartitionedWorld.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.Partition;
import dev.election.internal.partitions.PartitionedWorld.Process;
import dev.election.store.LedgerStore;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A process takes part in a group with the count of the store only. */
class GroupCountTest {

    private final PartitionedWorld world = new PartitionedWorld();

    @Test
    void processes_share_the_partitions_evenly_and_take_over_those_of_one_that_stops() {
        world.start("a", 16);
        world.start("b", 16);
        world.start("c", 16);
        Process last = world.start("d", 16);
        world.pass(LEASE.multipliedBy(6));
        assertThat(world.shares()).containsExactly(4, 4, 4, 4);

        last.stop();
        world.pass(LEASE);
        assertThat(world.shares()).containsExactly(0, 5, 5, 6);
    }

    @Test
    void the_work_of_a_partition_knows_it() {
        Process only = world.start("a", 4);
        world.pass(SOON);
        List<Partition> ran = new ArrayList<>();
        assertThat(only.orders.runIfHeld("123456789", () -> ran.add(Partition.current())))
                .isTrue();
        FencingToken token = only.orders.election(2).leadership().orElseThrow().token();
        assertThat(ran).containsExactly(new Partition("orders", 2, 4, token));
        assertThat(only.orders.held()).containsExactly(0, 1, 2, 3);
        assertThat(only.orders.owner(3)).get().extracting("node").isEqualTo("a");
    }

    @Test
    void nobody_takes_part_before_it_has_read_the_count() {
        CompletableFuture<Void> answered = world.ledgers.beside("partitions").holdBackReads();
        Process process = world.start("a", 4);
        world.pass(LEASE);
        assertThat(process.orders.held()).isEmpty();
        assertThat(process.orders.election(0).leader()).isEmpty();
        answered.complete(null);
        world.pass(LEASE);
        assertThat(process.orders.held()).hasSize(4);
    }

    @Test
    void nobody_works_before_the_store_has_confirmed_the_count() {
        CompletableFuture<Void> written = hold();
        Process first = world.start("a", 4);
        Process second = world.start("b", 4);
        world.pass(LEASE);
        assertThat(first.orders.election(0).isLeader()).isTrue();
        assertThat(first.works(0)).as("works on the first partition").isFalse();
        assertThat(first.orders.held()).containsExactly(0);
        assertThat(second.orders.held()).isEmpty();

        written.complete(null);
        world.pass(LEASE.multipliedBy(3));
        assertThat(world.stored()).isEqualTo("4");
        assertThat(first.works(0)).isNotEqualTo(second.works(0));
        assertThat(world.shares()).containsExactly(2, 2);
    }

    private CompletableFuture<Void> hold() {
        return world.ledgers.beside("partitions").holdBackWrites();
    }

    @Test
    void nothing_is_asked_of_the_ledgers_once_the_count_is_known() {
        world.start("a", 4);
        world.start("b", 4);
        world.pass(LEASE.multipliedBy(4));
        CompletableFuture<Void> reads = world.ledgers.beside("partitions").holdBackReads();
        CompletableFuture<Void> openings = world.ledgers.beside("partitions").holdBack();
        CompletableFuture<Void> writes = world.ledgers.beside("partitions").holdBackWrites();
        world.pass(LEASE.multipliedBy(5));
        assertThat(world.shares()).containsExactly(2, 2);
        assertThat(List.of(reads, openings, writes)).allMatch(requests -> requests.getNumberOfDependents() == 0);
    }

    @Test
    void a_process_with_another_count_than_the_store_leads_nothing_and_says_so_once() {
        world.start("a", 4).stop();
        try (LoggedLines lines = new LoggedLines("dev.election")) {
            Process other = world.start("b", 8);
            world.pass(LEASE.multipliedBy(5));
            assertThat(other.orders.held()).isEmpty();
            assertThat(other.orders.otherCount()).contains("4");
            assertThat(lines.warnings())
                    .containsExactly(
                            "This process leads no partition of 'orders': it has 8 of them, and the store has 4."
                                    + " Set the same count everywhere, or let the partitions of another count be a group with"
                                    + " another name");
        }
    }

    @Test
    void of_two_counts_that_begin_together_one_counts() {
        Process small = world.create("a", 4);
        Process large = world.create("b", 8);
        small.engine.start();
        large.engine.start();
        world.pass(LEASE.multipliedBy(3));
        assertThat(world.countsAtWork()).hasSize(1).containsExactly(Integer.valueOf(world.stored()));
        assertThat(List.of(
                        small.orders.otherCount().isPresent(),
                        large.orders.otherCount().isPresent()))
                .containsExactlyInAnyOrder(true, false);
    }

    @Test
    void a_count_that_the_store_has_lost_is_written_again_when_a_process_with_another_one_starts() {
        world.start("a", 4);
        world.pass(LEASE);
        world.flush();
        Process other = world.start("b", 8);
        world.pass(LEASE.multipliedBy(3));
        assertThat(world.stored()).isEqualTo("4");
        assertThat(world.countsAtWork()).containsExactly(4);
        assertThat(other.orders.otherCount()).contains("4");
    }

    @Test
    void a_count_that_others_work_with_is_not_replaced_if_its_leader_dies_when_the_store_loses_it() {
        Process first = world.start("a", 4);
        Process second = world.start("b", 4);
        world.pass(LEASE.multipliedBy(4));
        (first.orders.held().contains(0) ? first : second).crash();
        world.flush();
        Process other = world.create("c", 8);
        other.engine.start();
        for (int i = 0; i < 600; i++) {
            world.pass(LEASE.dividedBy(150));
            assertThat(world.countsAtWork()).doesNotContain(8);
        }
        assertThat(other.orders.otherCount()).contains("4");
        assertThat(world.stored()).isEqualTo("4");
    }

    /** The lease of the first partition is free at once, and the other process has no time to tell its count before. */
    @Test
    void a_leader_writes_no_count_before_members_had_time_to_tell_theirs() {
        Process first = world.start("a", 2);
        Process second = world.start("b", 2);
        world.pass(LEASE.multipliedBy(4));
        Process leader = first.orders.held().contains(0) ? first : second;
        Process working = leader == first ? second : first;
        // So that its next heartbeat is not due for a while. Its roles do not change either.
        working.engine.members().orElseThrow().setMetadata("changed", "now");
        world.pass(Duration.ofMillis(100));
        working.stall();
        CompletionStage<Void> unused = leader.engine.stop();
        world.pass(Duration.ofMillis(100));
        world.ledgers.forget();
        world.store.members().forget();
        Process other = world.create("c", 8);
        other.engine.start();
        world.pass(Duration.ofMillis(10));
        assertThat(other.orders.election(0).isLeader()).isTrue();
        working.resume();
        for (int i = 0; i < 300; i++) {
            world.pass(Duration.ofMillis(100));
            assertThat(world.countsAtWork()).doesNotContain(8);
        }
        assertThat(other.orders.otherCount()).contains("2");
        assertThat(world.stored()).isEqualTo("2");
        assertThat(working.orders.held()).hasSize(2);
    }

    @Test
    void the_count_may_be_another_one_when_all_that_knew_it_are_gone_with_the_data() {
        world.start("a", 4).stop();
        world.flush();
        Process other = world.start("b", 8);
        world.pass(LEASE);
        assertThat(world.stored()).isEqualTo("8");
        assertThat(other.orders.held()).hasSize(8);
    }

    @Test
    void a_process_that_was_refused_takes_part_when_the_store_has_its_count() {
        world.start("a", 4).stop();
        Process other = world.start("b", 8);
        world.flush();
        world.pass(LEASE.multipliedBy(2));
        assertThat(other.orders.otherCount()).isEmpty();
        assertThat(other.orders.held()).hasSize(8);
    }

    @Test
    void a_leader_that_was_paused_does_not_write_over_the_count_of_its_successor() {
        CompletableFuture<Void> written = hold();
        Process paused = world.start("a", 4);
        assertThat(paused.orders.election(0).isLeader()).isTrue();
        paused.stall();
        world.ledgers.beside("partitions").answerAtOnce();
        Process successor = world.start("b", 8);
        world.pass(LEASE.multipliedBy(4));
        assertThat(world.stored()).isEqualTo("8");
        written.complete(null);
        paused.resume();
        world.pass(LEASE.multipliedBy(2));
        assertThat(world.stored()).isEqualTo("8");
        assertThat(successor.orders.held()).hasSize(8);
        assertThat(paused.orders.otherCount()).contains("8");
    }

    @Test
    void a_process_that_did_not_hear_in_time_stops_when_it_hears_of_a_leader_with_another_count() {
        Process first = world.start("a", 4);
        Process second = world.start("b", 4);
        world.pass(LEASE.multipliedBy(4));
        Process leader = first.orders.held().contains(0) ? first : second;
        Process deaf = leader == first ? second : first;
        leader.crash();
        deaf.stall();
        world.flush();
        Process other = world.start("c", 8);
        world.pass(SOON);
        assertThat(world.stored()).isEqualTo("8");
        deaf.resume();
        assertThat(deaf.orders.held()).isEmpty();
        assertThat(deaf.orders.otherCount()).contains("8");
        world.pass(LEASE.multipliedBy(2));
        assertThat(other.orders.held()).hasSize(8);

        other.stop();
        world.flush();
        other.engine.start();
        world.pass(LEASE.multipliedBy(2));
        assertThat(other.orders.otherCount())
                .as("what one that is refused said before")
                .isEmpty();
    }

    @Test
    void a_leader_that_knows_the_count_works_before_the_ledger_answers() {
        Process first = world.start("a", 4);
        Process second = world.start("b", 4);
        world.pass(LEASE.multipliedBy(4));
        Process leader = first.orders.held().contains(0) ? first : second;
        Process next = leader == first ? second : first;
        world.ledgers.fail(true);
        try (LoggedLines lines = new LoggedLines("dev.election")) {
            leader.stop();
            assertThat(next.works(0)).isTrue();
            world.pass(LEASE);
            assertThat(lines.warnings())
                    .singleElement()
                    .asString()
                    .startsWith("The count of the partitions of 'orders' can't be confirmed: ")
                    .endsWith(". It is tried again");
        }
    }

    @Test
    void a_process_that_starts_again_reads_the_count_again() {
        Process process = world.start("a", 4);
        process.stop();
        write("8");
        process.engine.start();
        world.pass(SOON);
        assertThat(process.orders.held()).isEmpty();
        assertThat(process.orders.otherCount()).contains("8");

        process.stop();
        write("4");
        process.engine.start();
        world.pass(SOON);
        assertThat(process.orders.held()).hasSize(4);

        process.stop();
        process.engine.start();
        world.pass(SOON);
        assertThat(process.orders.held()).hasSize(4);
    }

    private void write(String count) {
        var unused = world.ledgers
                .beside("partitions")
                .write("orders.0", LedgerStore.NEWEST, Map.of("count", count), Set.of());
    }

    @Test
    void the_count_is_read_again_when_the_store_answers() {
        world.ledgers.beside("partitions");
        world.ledgers.fail(true);
        try (LoggedLines lines = new LoggedLines("dev.election")) {
            Process process = world.start("a", 4);
            world.pass(LEASE);
            assertThat(process.orders.held()).isEmpty();
            assertThat(lines.warnings())
                    .singleElement()
                    .asString()
                    .startsWith("The count of the partitions of 'orders' can't be read: ")
                    .endsWith("until then this process leads none of them");
            world.ledgers.fail(false);
            world.pass(LEASE);
            assertThat(process.orders.held()).hasSize(4);
        }
    }
}
