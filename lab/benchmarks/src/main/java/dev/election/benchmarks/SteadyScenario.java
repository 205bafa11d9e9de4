package dev.election.benchmarks;

import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Counts the commands that ten nodes, each a JVM of its own, send to Redis while nothing happens. */
final class SteadyScenario implements Scenario {

    private static final int NODES = 10;
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final int SETTLE_SECONDS = 25;
    private static final int SECONDS = 60;

    private final int elections;
    private final int target;

    SteadyScenario(int elections, int target) {
        this.elections = elections;
        this.target = target;
    }

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        try (Lab lab = new Lab()) {
            for (int number = 0; number < NODES; number++) {
                start(lab, number);
            }
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            return lab.redis().observe(this::measure);
        }
    }

    private void start(Lab lab, int number) throws IOException, InterruptedException {
        NodeProcess node = lab.launch("n" + number, LEASE);
        node.ask("open", "OPENED");
        node.ask("connect", "CONNECTED");
        node.ask("joinMany " + elections, "JOINED");
        node.ask("start", "STARTED");
        node.ask("result e" + (elections - 1), "RESULT");
    }

    private List<Row> measure(RedisCommands<String, String> redis) {
        long begun = System.nanoTime();
        Map<String, Long> sent =
                CommandCount.during(redis, Duration.ofSeconds(SECONDS)).without(CommandCount.calledByOurScripts());
        double seconds = (System.nanoTime() - begun) / 1e9;
        double rate = sent.values().stream().mapToLong(Long::longValue).sum() / seconds;
        String what = elections + (elections == 1 ? " election" : " elections") + ", 1 leader + " + (NODES - 1)
                + " followers, lease " + LEASE.toSeconds() + " s";
        return List.of(
                new Row(
                        what + ": Redis commands",
                        "<= " + target + "/s",
                        String.format(Locale.ROOT, "%.2f/s over %.0f s: %s", rate, seconds, sent)),
                new Row(what + ": connections of a process", "2", connections(redis)));
    }

    private static String connections(RedisCommands<String, String> redis) {
        long others = redis.clientList()
                .lines()
                .filter(client -> !client.contains("name=observer"))
                .count();
        return String.format(Locale.ROOT, "%.1f (%d of %d processes)", others / (double) NODES, others, NODES);
    }
}
