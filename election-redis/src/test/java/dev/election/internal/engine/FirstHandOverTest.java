package dev.election.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.engine.Clock;
import dev.election.engine.Loop;
import dev.election.harness.Children;
import dev.election.harness.JvmProcess;
import dev.election.harness.RedisBinary;
import dev.election.harness.Wait;
import dev.election.internal.threads.ElectionThread;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.client.RedisAccess;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.StoreRequest;
import dev.election.testing.KillsProcesses;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What new processes load from a resignation until the grant to another. Lambdas are left out, since nothing but their use loads them, and log
 * lines, which other threads write; and the task by which Netty tells of a write that was done before it was asked about, which is a matter of
 * chance.
 */
@KillsProcesses
class FirstHandOverTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** So long that no renewal is due, which would load what it needs. */
    private static final Duration LEASE = Duration.ofMinutes(10);

    private static final Pattern LOADED = Pattern.compile(
            "(?!\\S*\\$\\$Lambda|dev\\.election\\.internal\\.log\\.|\\S*FirstHandOverTest|io\\.netty\\.util\\.concurrent\\.DefaultPromise\\$)"
                    + "(dev\\.election|io\\.lettuce|io\\.netty|reactor)\\.\\S+ source: .*");

    @ParameterizedTest
    @ValueSource(strings = {"resign", "close"})
    void processes_that_were_idle_load_no_class_on_the_way(String order) {
        assertThat(loaded(order, true)).isEmpty();
    }

    @Test
    void each_class_that_is_loaded_early_is_needed() {
        List<String> needed = loaded("resign", false);
        needed.addAll(loaded("close", false));
        assertThat(needed).containsAll(HandOverClasses.names());
    }

    private static List<String> loaded(String order, boolean idle) {
        try (Children children = new Children();
                RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0)) {
            Watched leader = new Watched("leader", children, redis.port(), idle);
            Watched follower = new Watched("follower", children, redis.port(), idle);
            int led = leader.lines.size();
            int followed = follower.lines.size();
            leader.process.send(order);
            List<String> loaded = leader.loaded(led, idle ? "sent" : "gone");
            loaded.addAll(follower.loaded(followed, "leads"));
            return loaded;
        }
    }

    /** A node seen from outside. */
    private static final class Watched {

        private final List<String> lines = new CopyOnWriteArrayList<>();
        private final JvmProcess process;

        /** Returns when the node knows the leader, and has loaded what it loads while it is idle. */
        private Watched(String id, Children children, int redisPort, boolean idle) {
            List<String> arguments = List.of(id, Integer.toString(redisPort), Boolean.toString(idle));
            process = new JvmProcess(
                    id,
                    children,
                    JvmProcess.builder(List.of("-Xlog:class+load:stdout:none"), Node.class, arguments)
                            .redirectError(ProcessBuilder.Redirect.INHERIT));
            process.listen(lines::add, () -> {});
            Wait.until(
                    id + " to be idle",
                    PATIENCE,
                    () -> lines.contains("ready")
                            && (!idle || names(0, lines.size()).containsAll(HandOverClasses.names())));
        }

        private List<String> loaded(int begin, String mark) {
            Wait.until(mark, PATIENCE, () -> lines.contains(mark));
            return names(begin, lines.indexOf(mark));
        }

        private List<String> names(int begin, int end) {
            List<String> names = new ArrayList<>();
            for (String line : List.copyOf(lines).subList(begin, end)) {
                if (LOADED.matcher(line).matches()) {
                    names.add(line.substring(0, line.indexOf(' ')));
                }
            }
            return names;
        }
    }

    /** Says what it does, between the lines of its JVM about classes. */
    static final class Node {

        private Node() {}

        public static void main(String[] arguments) throws InterruptedException {
            RedisURI uri = RedisURI.create("127.0.0.1", Integer.parseInt(arguments[1]));
            RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(uri), "test", LEASE);
            TellingStore telling = new TellingStore(store);
            Clock clock = Clock.system();
            ElectionEngine.Builder builder = ElectionEngine.over(telling)
                    .timing(Timing.ofLease(LEASE))
                    .as(new NodeInfo(arguments[0], "127.0.0.1"));
            ElectionEngine engine = Boolean.parseBoolean(arguments[2])
                    ? builder.build()
                    : builder.loop(new BusyLoop(new ElectionThread(clock)), clock)
                            .build();
            Election election = engine.get(Election.DEFAULT);
            telling.election = election;
            engine.start();
            election.awaitResult(PATIENCE);
            System.out.println("ready");
            String order = new Scanner(System.in).nextLine();
            if (order.equals("resign")) {
                election.abdicate(Abdication.toAnyone()).toCompletableFuture().join();
            } else {
                engine.close();
            }
            System.out.println("gone");
            Thread.sleep(PATIENCE.toMillis());
        }
    }

    /** Is never idle. */
    private record BusyLoop(Loop loop) implements Loop {

        @Override
        public void execute(Runnable task) {
            loop.execute(task);
        }

        @Override
        public void executeHere(Runnable task) {
            loop.executeHere(task);
        }

        @Override
        public void aside(Runnable errand) {
            loop.aside(errand);
        }

        @Override
        public Alarm alarm(long at, Runnable task) {
            return loop.alarm(at, task);
        }
    }

    /** Says when a release was sent, and when a grant has been taken. */
    private static final class TellingStore extends ForwardingLeaseStore {

        private volatile Election election;

        private TellingStore(LeaseStore store) {
            super(store);
        }

        @Override
        public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
            List<CompletionStage<?>> told = new ArrayList<>();
            for (CompletionStage<?> reply : super.send(requests)) {
                CompletableFuture<Object> taken = new CompletableFuture<>();
                CompletionStage<?> unused = reply.whenComplete((given, failure) -> {
                    taken.complete(given);
                    if (election.isLeader()) {
                        System.out.println("leads");
                    }
                });
                told.add(taken);
            }
            if (requests.get(0).getClass().getSimpleName().equals("ReleaseRequest")) {
                System.out.println("sent");
            }
            return told;
        }
    }
}
