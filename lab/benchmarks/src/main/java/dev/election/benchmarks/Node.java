package dev.election.benchmarks;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.client.RedisAccess;
import io.lettuce.core.RedisURI;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a node process: the real engine and store, driven by lines on standard input. Every report carries times of
 * the monotonic clock. Ends when standard input does, so that it never outlives the process that started it.
 */
public final class Node {

    /** To report wakes two processes, on the processors on which others may be just about to lead. */
    static final int QUIET_MILLIS = 20;

    /** The name of the group of partitions. */
    private static final String GROUP = "p";

    private final String id;
    private final int redisPort;
    private final Duration lease;
    private final Voice voice = new Voice(System.out);
    private final FirstSight sight = new FirstSight();

    private @Nullable RedisLeaseStore store;
    private @Nullable ElectionEngine engine;

    private Node(String id, int redisPort, Duration lease) {
        this.id = id;
        this.redisPort = redisPort;
        this.lease = lease;
    }

    /**
     * Runs until standard input ends.
     *
     * @param arguments id of the node, port of Redis, lease in ms
     */
    public static void main(String[] arguments) throws Exception {
        Node node =
                new Node(arguments[0], Integer.parseInt(arguments[1]), Duration.ofMillis(Long.parseLong(arguments[2])));
        try {
            node.obey();
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    private void obey() throws IOException, InterruptedException, ExecutionException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            obey(line.split(" ", -1));
        }
    }

    private void obey(String[] command) throws InterruptedException, ExecutionException {
        switch (command[0]) {
            case "hello" -> voice.say("HELLO", System.nanoTime());
            case "open" -> open(0);
            case "openGroup" -> open(Integer.parseInt(command[1]));
            case "connect" -> {
                Connection.await(store());
                voice.say("CONNECTED", System.nanoTime());
            }
            case "join" -> join(command[1]);
            case "joinMany" -> joinMany(Integer.parseInt(command[1]));
            case "start" -> {
                long begun = System.nanoTime();
                engine().start();
                voice.say("STARTED", begun);
            }
            case "result" -> voice.say("RESULT", engine().get(command[1]).awaitResult(Duration.ofSeconds(30)));
            case "leadAll" -> leadAll();
            case "held" ->
                voice.say(
                        "HELD",
                        System.nanoTime(),
                        engine().partitions().of(GROUP).held().size());
            case "observe" -> observe(engine().get(command[1]), Observation.valueOf(command[2]));
            case "abdicate" -> abdicate(command[1], Duration.ofMillis(Long.parseLong(command[2])));
            case "stop" -> {
                engine().stop().toCompletableFuture().get();
                voice.say("STOPPED", System.nanoTime());
            }
            case "gauge" -> voice.say("GAUGE", Gauge.read().line());
            case "collect" -> voice.say("GAUGE", Gauge.afterCollection().line());
            case "first" -> first();
            default -> throw new IllegalArgumentException(command[0]);
        }
    }

    /** @param partitions of a group, 0 for none */
    private void open(int partitions) {
        long begun = System.nanoTime();
        RedisLeaseStore opened =
                RedisLeaseStore.open(RedisAccess.at(RedisURI.create("127.0.0.1", redisPort)), "bench", lease);
        store = opened;
        // A witnessed store sends each request by itself.
        ElectionEngine.Builder builder = ElectionEngine.over(
                        partitions == 0 ? new WitnessedStore(opened, sight) : opened)
                .as(new NodeInfo(id, "127.0.0.1"))
                .timing(Timing.ofLease(lease));
        if (partitions > 0) {
            builder.partitions(GROUP, partitions);
        }
        engine = builder.build();
        voice.say("OPENED", begun);
    }

    /** Everything at once, as an application does that has just started. */
    private void first() throws InterruptedException {
        open(0);
        Election election = engine().get(Election.DEFAULT);
        engine().start();
        boolean leads = election.awaitLeadership(Duration.ofSeconds(30));
        voice.say("FIRST", System.nanoTime(), leads);
    }

    private void join(String name) {
        engine().get(name).addListener(new AcquisitionReport(voice));
        voice.say("JOINED", System.nanoTime());
    }

    private void joinMany(int count) {
        for (int number = 0; number < count; number++) {
            Election unused = engine().get("e" + number);
        }
        voice.say("JOINED", System.nanoTime());
    }

    private void observe(Election election, Observation observation) {
        Thread observer = observation == Observation.WATCH
                ? new LeadershipWatch(election, sight, voice)
                : new BeliefPoll(election, voice);
        observer.start();
        voice.say("OBSERVED", System.nanoTime());
    }

    private void leadAll() throws InterruptedException {
        boolean all = true;
        for (Election election : engine().all()) {
            all &= election.awaitLeadership(Duration.ofSeconds(30));
        }
        voice.say("LEADING", System.nanoTime(), all);
    }

    private void abdicate(String name, Duration cooldown) throws InterruptedException, ExecutionException {
        Election election = engine().get(name);
        Abdication how = Abdication.toAnyone().coolingDownFor(cooldown);
        long begun = System.nanoTime();
        Object outcome = election.abdicate(how).toCompletableFuture().get();
        long done = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(QUIET_MILLIS);
        voice.say("ABDICATED", begun, done, outcome);
    }

    private ElectionEngine engine() {
        if (engine == null) {
            throw new IllegalStateException("Not opened yet");
        }
        return engine;
    }

    private RedisLeaseStore store() {
        if (store == null) {
            throw new IllegalStateException("Not opened yet");
        }
        return store;
    }
}
