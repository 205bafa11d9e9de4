package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.harness.RedisBinary;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Processes that go by one node id find each other, and whoever has an id of its own hears nothing of it. */
@RealTime
class DuplicateNodesTest {

    /** So long that a pause of the machine does not make a process connect anew. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private static final String PREFIX = "duplicates";
    private static final String WARNING =
            "Another live process takes part in elections in this store with the same node id ";

    private final Logger elections = (Logger) LoggerFactory.getLogger("dev.election");
    private final Lines lines = new Lines();
    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private RedisServer server;

    @BeforeEach
    void start() {
        server = RedisServer.start(RedisBinary.REDIS_7_0);
        lines.start();
        elections.addAppender(lines);
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable one : running) {
            one.close();
        }
        elections.detachAppender(lines);
        server.close();
    }

    @Test
    void two_processes_with_one_node_id_warn_of_each_other() {
        Queue<Said> heard = hearAll();
        process("twin", 2);
        awaitListeners("twin", 1);
        process("twin", 2);
        process("single", 2);
        Nodes.await("both have said so").until(() -> lines.warnings("twin") == 2);
        Nodes.await("the third calls").until(() -> present(heard).contains(PREFIX + ":node:{single}"));
        assertThat(lines.warnings("twin")).isEqualTo(2);
        assertThat(lines.warnings("single")).isZero();
    }

    @Test
    void a_process_that_reconnects_finds_one_that_came_meanwhile() {
        process("twin", 2);
        awaitListeners("twin", 1);
        server.kill();
        process("twin", 2);
        server.restart();
        Nodes.await("both have said so").until(() -> lines.warnings("twin") == 2);
    }

    @Test
    void a_start_or_reconnect_costs_each_process_one_message_that_nobody_else_gets() {
        int nodes = 6;
        Queue<Said> heard = hearAll();
        IntStream.range(0, nodes).forEach(i -> process("n" + i, 4));
        awaitOneCallOfEach(nodes, heard);
        heard.clear();
        dropSubscribers();
        awaitOneCallOfEach(nodes, heard);
        assertThat(lines.seen).noneMatch(line -> line.startsWith(WARNING));
    }

    /** Whoever calls twice, or to others, would have done so after another lease. */
    private void awaitOneCallOfEach(int nodes, Queue<Said> heard) {
        List<String> calls = IntStream.range(0, nodes)
                .mapToObj(i -> PREFIX + ":node:{n" + i + "}")
                .toList();
        Nodes.await("a call of each").until(() -> present(heard).containsAll(calls));
        Nodes.await("no other call")
                .during(LEASE)
                .failFast(() -> assertThat(present(heard)).containsExactlyInAnyOrderElementsOf(calls))
                .until(() -> true);
        calls.forEach(channel -> assertThat(listeners(channel)).as(channel).isEqualTo(1));
    }

    private static List<String> present(Queue<Said> heard) {
        return heard.stream()
                .filter(said -> said.message.startsWith("present"))
                .map(Said::channel)
                .toList();
    }

    private void awaitListeners(String node, int count) {
        Nodes.await("the subscription of " + node).until(() -> listeners(PREFIX + ":node:{" + node + "}") == count);
    }

    private long listeners(String channel) {
        return server.call(redis -> redis.pubsubNumsub(channel)).get(channel);
    }

    /** But for whoever hears all. */
    private void dropSubscribers() {
        server.<String>call(redis -> redis.clientList())
                .lines()
                .filter(client -> client.contains(" psub=0 ") && !client.contains(" sub=0 "))
                .map(client -> client.substring("id=".length(), client.indexOf(' ')))
                .forEach(id -> server.call(redis -> redis.clientKill(KillArgs.Builder.id(Long.parseLong(id)))));
    }

    private Queue<Said> hearAll() {
        Queue<Said> heard = new ConcurrentLinkedQueue<>();
        RedisClient client = RedisClient.create(server.uri());
        running.add(client::shutdown);
        StatefulRedisPubSubConnection<String, String> connection = client.connectPubSub();
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String pattern, String channel, String message) {
                heard.add(new Said(channel, message));
            }
        });
        connection.sync().psubscribe("*");
        return heard;
    }

    private void process(String node, int elections) {
        RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(server.uri()), PREFIX, LEASE);
        ElectionEngine engine = ElectionEngine.over(store)
                .as(new NodeInfo(node, node + ":80"))
                .timing(Timing.ofLease(LEASE))
                .build();
        IntStream.range(0, elections).forEach(i -> engine.get("e" + i));
        engine.start();
        running.push(() -> {
            engine.close();
            store.close();
        });
    }

    private record Said(String channel, String message) {}

    /** What an operator sees. */
    private static final class Lines extends AppenderBase<ILoggingEvent> {

        private final Queue<String> seen = new ConcurrentLinkedQueue<>();

        private long warnings(String node) {
            return seen.stream()
                    .filter(line -> line.startsWith(WARNING + node + ":"))
                    .count();
        }

        @Override
        protected void append(ILoggingEvent event) {
            seen.add(event.getFormattedMessage());
        }
    }
}
