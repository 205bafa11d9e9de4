package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Partition;
import dev.election.Partitioned;
import dev.election.harness.RedisBinary;
import dev.election.partitions.PartitionGroup;
import dev.election.partitions.Partitions;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Applications of which at most three run a method at a tick. */
@RealTime
class OnePerProcessTest {

    /** The nodes that ran a slot, each with its partition. */
    private static final Map<Instant, Queue<String>> RUNS = new ConcurrentHashMap<>();

    @AutoClose
    private final RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0);

    @Configuration
    @EnableAutoConfiguration
    @EnableScheduling
    @Import(Exports.class)
    static class Application {}

    static class Exports {

        private final String node;

        Exports(@Value("${election.node.id}") String node) {
            this.node = node;
        }

        @Partitioned("export")
        @Scheduled(cron = "*/2 * * * * *")
        public void export() {
            RUNS.computeIfAbsent(tick(), first -> new ConcurrentLinkedQueue<>())
                    .add(node + " " + Partition.current().index());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void as_many_run_at_a_tick_as_there_are_but_three_at_most_and_none_twice(int count) {
        RUNS.clear();
        List<ConfigurableApplicationContext> nodes = new ArrayList<>();
        try {
            for (int node = 0; node < count; node++) {
                nodes.add(start("n" + node));
            }
            int most = Math.min(3, count);
            Nodes.await("all that can lead").until(() -> leading(nodes) == most);
            assertThreeTicks(most);
            if (count > 3) {
                nodes.stream().filter(node -> leads(node) == 1).findFirst().ifPresent(leader -> {
                    nodes.remove(leader);
                    leader.close();
                });
                Nodes.await("a free one takes over").until(() -> leading(nodes) == most);
                assertThreeTicks(most);
            }
        } finally {
            nodes.forEach(ConfigurableApplicationContext::close);
        }
    }

    private static Instant tick() {
        long seconds = Instant.now().getEpochSecond();
        return Instant.ofEpochSecond(seconds - seconds % 2);
    }

    private static int ran(Instant tick) {
        return RUNS.getOrDefault(tick, new ConcurrentLinkedQueue<>()).size();
    }

    private static void assertThreeTicks(int most) {
        // A leader schedules its runs a moment after it shows that it leads.
        Instant led = tick();
        Nodes.await("runs of all").until(() -> tick().isAfter(led) && ran(tick()) == most);
        Instant present = tick();
        Instant last = present.plusSeconds(6);
        Nodes.await("three ticks, and the end of the last one").until(() -> tick().isAfter(last));
        RUNS.forEach((tick, ran) -> {
            if (tick.isAfter(present) && !tick.isAfter(last)) {
                assertThat(ran.stream().map(run -> run.replaceAll(" .*", "")))
                        .as("nodes at %s", tick)
                        .doesNotHaveDuplicates()
                        .hasSize(most);
                assertThat(ran.stream().map(run -> run.replaceAll(".* ", "")))
                        .as("partitions at %s", tick)
                        .doesNotHaveDuplicates();
            }
        });
        assertThat(RUNS).containsKeys(present.plusSeconds(2), present.plusSeconds(4), last);
    }

    private static long leading(List<ConfigurableApplicationContext> nodes) {
        assertThat(nodes).allMatch(node -> leads(node) <= 1);
        return nodes.stream().filter(node -> leads(node) == 1).count();
    }

    private static int leads(ConfigurableApplicationContext node) {
        PartitionGroup group = node.getBean(Partitions.class).of("export");
        return group.held().size();
    }

    private ConfigurableApplicationContext start(String id) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.data.redis.url=" + redis.uri(),
                        "spring.application.name=shop",
                        "election.node.id=" + id,
                        "election.lease=6s",
                        "election.partitions.export.count=3",
                        "election.partitions.export.one-per-process=true")
                .run();
    }
}
