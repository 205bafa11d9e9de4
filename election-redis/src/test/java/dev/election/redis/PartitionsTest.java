package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Steering;
import dev.election.Timing;
import dev.election.harness.RedisBinary;
import dev.election.members.MemberSettings;
import dev.election.partitions.PartitionGroup;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Nodes;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Four processes share sixteen partitions. */
@Execution(ExecutionMode.CONCURRENT)
class PartitionsTest {

    private static final Duration LEASE = Duration.ofSeconds(3);

    @Test
    void four_processes_lead_four_each_and_take_over_from_one_that_leaves() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0)) {
            List<Process> processes = new ArrayList<>();
            try {
                for (String id : List.of("a", "b", "c", "d")) {
                    processes.add(new Process(server, id, 16));
                }
                Nodes.await("four each").until(() -> shares(processes).equals(List.of(4, 4, 4, 4)));
                assertThat(led(processes)).hasSize(16);

                processes.remove(3).close();
                Nodes.await("all led").until(() -> shares(processes).equals(List.of(5, 5, 6)));
                assertThat(led(processes)).hasSize(16);
            } finally {
                processes.forEach(Process::close);
            }
        }
    }

    @Test
    void of_five_processes_three_lead_one_partition_each_and_a_free_one_takes_over_from_one_that_is_killed() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0)) {
            List<Process> processes = new ArrayList<>();
            List<Process> killed = new ArrayList<>();
            try {
                for (String id : List.of("a", "b", "c", "d", "e")) {
                    processes.add(Process.forOne(server, id));
                }
                Nodes.await("three lead").until(() -> onePerProcess(processes) == 3);
                for (int left : List.of(3, 3, 2, 1)) {
                    Process leader = processes.stream()
                            .filter(process -> !process.orders.held().isEmpty())
                            .findFirst()
                            .orElseThrow();
                    leader.store.close();
                    processes.remove(leader);
                    killed.add(leader);
                    Nodes.await("the killed one has lost its lease")
                            .until(() -> leader.orders.held().isEmpty());
                    Nodes.await(left + " lead").until(() -> onePerProcess(processes) == left);
                }
            } finally {
                processes.forEach(Process::close);
                killed.forEach(Process::close);
            }
        }
    }

    private static long onePerProcess(List<Process> processes) {
        assertThat(shares(processes)).allMatch(share -> share <= 1);
        return led(processes).size();
    }

    @Test
    void a_process_with_another_count_leads_nothing_also_when_the_store_has_lost_everything() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                Process first = new Process(server, "a", 16);
                Process second = new Process(server, "b", 16)) {
            Nodes.await("eight each").until(() -> shares(List.of(first, second)).equals(List.of(8, 8)));
            try (Process other = new Process(server, "c", 8)) {
                Nodes.await("the other count")
                        .until(() -> other.orders.otherCount().isPresent());
                assertThat(other.orders.otherCount()).contains("16");
                assertThat(other.orders.held()).isEmpty();
            }
            server.call(redis -> redis.flushall());
            try (Process other = new Process(server, "d", 8)) {
                Nodes.await("the other count").until(() -> {
                    assertThat(other.orders.held()).isEmpty();
                    return other.orders.otherCount().isPresent();
                });
                Nodes.await("all led")
                        .until(() -> shares(List.of(first, second)).equals(List.of(8, 8)));
                assertThat(other.orders.held()).isEmpty();
            }
            first.close();
            second.close();
            server.call(redis -> redis.flushall());
            try (Process other = new Process(server, "e", 8)) {
                Nodes.await("all led").until(() -> other.orders.held().size() == 8);
            }
        }
    }

    @Test
    void a_cluster_takes_fewer_partitions_since_it_renews_each_by_itself() {
        try (RedisLeaseStore cluster = RedisLeaseStore.open(
                RedisAccess.toCluster(List.of(RedisURI.create("redis://localhost:1"))), "partitions", LEASE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder(cluster, "a", 33).build())
                    .withMessageContaining("'orders' have 33 partitions, but can have at most 32")
                    .withMessageContaining("renews each of them by a request of its own");
        }
    }

    private static List<Integer> shares(List<Process> processes) {
        return processes.stream()
                .map(process -> process.orders.held().size())
                .sorted()
                .toList();
    }

    private static Set<Integer> led(List<Process> processes) {
        return Set.copyOf(IntStream.range(0, processes.get(0).orders.count())
                .filter(index -> processes.stream()
                        .anyMatch(process -> process.orders.held().contains(index)))
                .boxed()
                .toList());
    }

    private static ElectionEngine.Builder builder(RedisLeaseStore store, String id, int count) {
        return ElectionEngine.over(store)
                .as(new NodeInfo(id, "host"))
                .timing(Timing.ofLease(LEASE))
                .members(MemberSettings.none())
                .steering(Steering.none())
                .partitions("orders", count);
    }

    /** A process, but for the process. */
    private static final class Process implements AutoCloseable {

        private final RedisLeaseStore store;
        private final ElectionEngine engine;
        private final PartitionGroup orders;

        Process(RedisServer server, String id, int count) {
            this(server, store -> builder(store, id, count));
        }

        /** One that leads one of three partitions at most. */
        static Process forOne(RedisServer server, String id) {
            return new Process(server, store -> builder(store, id, 3).onePerProcess("orders"));
        }

        private Process(RedisServer server, Function<RedisLeaseStore, ElectionEngine.Builder> builder) {
            store = RedisLeaseStore.open(RedisAccess.at(server.uri()), "partitions", LEASE);
            engine = builder.apply(store).build();
            orders = engine.partitions().of("orders");
            engine.start();
        }

        @Override
        public void close() {
            engine.close();
            store.close();
        }
    }
}
