package dev.election.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.Partition;
import dev.election.Partitioned;
import dev.election.autoconfigure.internal.checks.PartitionCountsCheck;
import dev.election.partitions.PartitionGroup;
import dev.election.partitions.Partitions;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

@SpringBootTest(
        classes = PartitionedApplicationTest.Application.class,
        properties = {
            "election.partitions.orders.count=40",
            "election.partitions.exports.count=3",
            "election.partitions.exports.one-per-process=true"
        })
@AutoConfigureTestElections
class PartitionedApplicationTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    @Import(Orders.class)
    static class Application {}

    static class Orders {

        private final BlockingQueue<Partition> exported = new LinkedBlockingQueue<>();

        @Partitioned("orders")
        @Scheduled(fixedDelay = 5)
        public void export() {
            exported.add(Partition.current());
        }

        BlockingQueue<Partition> exported() {
            return exported;
        }
    }

    @Autowired
    private TestElections elections;

    @Autowired
    private Partitions partitions;

    @Autowired
    private Orders orders;

    @Autowired
    private PartitionCountsCheck check;

    @Test
    void a_method_is_called_for_the_partitions_that_the_test_lets_this_node_lead() throws InterruptedException {
        PartitionGroup group = partitions.of("orders");
        assertThat(group.held()).isEmpty();
        assertThat(group.withoutLeader()).hasSize(40);
        assertThat(check.look()).isCompletedWithValue(List.of());

        elections.lead("orders.39");
        assertThat(group.held()).containsExactly(39);
        assertThat(next()).isEqualTo(new Partition("orders", 39, 40, token(39)));

        elections.follow("orders.39", "other");
        assertThat(group.owner(39)).get().extracting("node").isEqualTo("other");
        elections.lead("orders.0");
        orders.exported().clear();
        while (next().index() == 39) {
            // A run that had begun before.
        }
        assertThat(next()).isEqualTo(new Partition("orders", 0, 40, token(0)));
        assertThat(group.runIfHeld(
                        keyOf(0), () -> assertThat(Partition.current().index()).isZero()))
                .isTrue();
        assertThat(group.runIfHeld(keyOf(39), () -> {})).isFalse();
    }

    @Test
    void of_a_group_with_one_partition_for_each_process_this_node_leads_one_at_a_time_and_no_key_is_in_one() {
        PartitionGroup exports = partitions.of("exports");
        assertThat(exports.isOnePerProcess()).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> exports.runIfHeld("key", () -> {}));

        elections.lead("exports.0");
        elections.lead("exports.1");
        assertThat(exports.held()).containsExactly(0);
        elections.follow("exports.0", "other");
        assertThat(exports.held()).containsExactly(1);
    }

    private Partition next() throws InterruptedException {
        Partition next = orders.exported().poll(30, TimeUnit.SECONDS);
        assertThat(next).as("a call").isNotNull();
        return next;
    }

    private FencingToken token(int index) {
        Election partition = partitions.of("orders").election(index);
        return partition.leadership().orElseThrow().token();
    }

    private String keyOf(int index) {
        PartitionGroup group = partitions.of("orders");
        int key = 0;
        while (group.forKey("k" + key) != index) {
            key++;
        }
        return "k" + key;
    }
}
