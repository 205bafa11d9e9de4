package dev.election.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.election.AssignedRole;
import dev.election.ElectionEngine;
import dev.election.Partition;
import dev.election.Steering;
import dev.election.Timing;
import dev.election.members.MemberSettings;
import dev.election.partitions.PartitionGroup;
import dev.election.record.AtomicLeaseStore;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.InMemoryLedgerStore;
import dev.election.store.LedgerStore;
import dev.election.store.MemberStore;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a group of partitions refuses, and where a key is. */
class GroupsTest {

    private final AtomicLeaseStore leases = new AtomicLeaseStore(System::currentTimeMillis);

    private ElectionEngine.Builder over(boolean sendsTogether) {
        return ElectionEngine.over(new ForwardingLeaseStore(leases) {
            @Override
            public Optional<LedgerStore> ledgerStore() {
                return Optional.of(new InMemoryLedgerStore());
            }

            @Override
            public boolean sendsTogether() {
                return sendsTogether;
            }
        });
    }

    private ElectionEngine.Builder sharing(String group, int count) {
        return over(true)
                .members(MemberSettings.none())
                .steering(Steering.none())
                .partitions(group, count);
    }

    private ElectionEngine engine() {
        return sharing("orders", 16).build();
    }

    @ParameterizedTest
    @CsvSource({
        "once, 4, can be named 'once'",
        "orders, 0, must have 1 to 256 partitions",
        "orders, -1, must have 1 to 256 partitions",
        "orders, 257, must have 1 to 256 partitions",
        "no name, 4, must be 1 to 48 of A-Z",
        "a-name-of-forty-nine-characters-is-one-too-long-----, 4, must be 1 to 48 of A-Z"
    })
    void a_group_that_can_not_be_is_refused(String group, int count, String problem) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sharing(group, count).build())
                .withMessageContaining(problem);
    }

    @Test
    void a_store_that_renews_each_by_itself_takes_fewer_and_says_why() {
        ElectionEngine.Builder most = over(false)
                .members(MemberSettings.none())
                .steering(Steering.none())
                .partitions("orders", 31)
                .partitions("bills", 1);
        most.build().close();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> most.partitions("bills", 2).build())
                .withMessageContaining("groups 'bills', 'orders' have 33 partitions, but can have at most 32 together")
                .withMessageContaining("renews each of them by a request of its own");
        sharing("orders", 256).build().close();
    }

    @Test
    void partitions_need_a_store_with_members_and_ledgers() {
        over(true).partitions("orders", 4).build().close();
        ForwardingLeaseStore withoutMembers = new ForwardingLeaseStore(leases) {
            @Override
            public Optional<MemberStore> memberStore() {
                return Optional.empty();
            }
        };
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElectionEngine.over(withoutMembers)
                        .partitions("orders", 4)
                        .build())
                .withMessageContaining("a store that keeps members");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElectionEngine.over(leases)
                        .members(MemberSettings.none())
                        .steering(Steering.none())
                        .partitions("orders", 4)
                        .build())
                .withMessageContaining("a store that keeps ledgers");
    }

    @Test
    void no_election_has_the_name_of_a_group_or_of_a_partition_that_it_lacks() {
        try (ElectionEngine engine = engine()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> engine.get("orders"))
                    .withMessageContaining("'orders' is a group of partitions and no election");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> engine.get("orders.16"))
                    .withMessageContaining("has 16 partitions, and no 'orders.16'");
            assertThat(engine.get("orders.x").name()).isEqualTo("orders.x");
            assertThat(engine.get("orders.015").name()).isEqualTo("orders.015");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        sharing("orders", 4).timing("orders", Timing.defaults()).build())
                .withMessageContaining("'orders' is a group of partitions and no election");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sharing("orders", 4)
                        .role("orders", AssignedRole.OBSERVER)
                        .build())
                .withMessageContaining("'orders' is a group of partitions and no election");
    }

    @Test
    void a_minimum_of_members_of_a_group_is_refused_as_no_election_has_it() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> sharing("orders", 4).minimumMembers("orders", 2).build())
                .withMessageContaining("'orders' is a group of partitions and no election");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sharing("orders", 4).onePerProcess("bills").build())
                .withMessageContaining("Each of [bills] must be a group of partitions with a count");
    }

    @Test
    void a_minimum_of_members_of_a_partition_is_refused_where_the_leaders_of_others_observe_it() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sharing("orders", 4)
                        .onePerProcess("orders")
                        .minimumMembers("orders.1", 2)
                        .build())
                .withMessageContaining("'orders.1' can have no minimum of members");
        sharing("orders", 4).minimumMembers("orders.1", 2).build().close();
    }

    @Test
    void a_key_is_in_the_partition_of_its_crc_32() {
        try (ElectionEngine engine = engine()) {
            PartitionGroup orders = engine.partitions().of("orders");
            // The check value of CRC-32 is cbf43926.
            assertThat(orders.forKey("123456789")).isEqualTo(0x6);
            assertThat(orders.forKey("")).isZero();
            // By zlib.crc32("\u00e9".encode()) of Python: e048d3e.
            assertThat(orders.forKey("\u00e9")).isEqualTo(0xe);
        }
    }

    @Test
    @SuppressWarnings("NullAway")
    void what_there_is_not_is_refused() {
        try (ElectionEngine engine = engine()) {
            PartitionGroup orders = engine.partitions().of("orders");
            assertThat(engine.partitions().all()).containsExactly(orders);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> engine.partitions().of("bills"))
                    .withMessageContaining("no group of partitions 'bills' in this process, which has [orders]");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> orders.election(16))
                    .withMessageContaining("has the partitions 0 to 15, and no partition 16");
            assertThatIllegalArgumentException().isThrownBy(() -> orders.owner(-1));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> orders.forKey(null))
                    .withMessageContaining("A key of the group 'orders' is null");
            assertThatIllegalArgumentException().isThrownBy(() -> orders.runIfHeld(null, () -> {}));
        }
    }

    @Test
    void outside_of_its_work_there_is_no_partition() {
        assertThatIllegalStateException()
                .isThrownBy(Partition::current)
                .withMessageContaining(
                        "call Partition.current() within a @Partitioned method or PartitionGroup.runIfHeld");
    }

    @Test
    void partitions_are_balanced_unless_steering_says_otherwise() {
        Steering all = Steering.none().balance("orders.*", true);
        assertThat(all.balances("orders.3")).isTrue();
        assertThat(all.balances("orders")).isFalse();
        assertThat(all.balances("orders.x")).isFalse();
        assertThat(all.balance("orders.3", false).balances("orders.3")).isFalse();
        try (ElectionEngine engine = engine()) {
            assertThat(engine.members()
                            .orElseThrow()
                            .own()
                            .standing()
                            .orElseThrow()
                            .balances("orders.3"))
                    .isTrue();
        }
    }
}
