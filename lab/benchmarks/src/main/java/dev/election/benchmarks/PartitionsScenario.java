package dev.election.benchmarks;

import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Measures what a group of partitions costs while nothing happens: when ten processes share them, and when one leads all. */
final class PartitionsScenario implements Scenario {

    private static final int PARTITIONS = 256;
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final int SETTLE_SECONDS = 110;
    private static final int SECONDS = 60;

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (int processes : new int[] {1, 10}) {
            rows.addAll(share(processes));
        }
        return rows;
    }

    private static List<Row> share(int processes) throws IOException, InterruptedException {
        try (Lab lab = new Lab()) {
            List<NodeProcess> nodes = new ArrayList<>();
            for (int number = 0; number < processes; number++) {
                NodeProcess node = lab.launch("n" + number, LEASE);
                node.ask("openGroup " + PARTITIONS, "OPENED");
                node.ask("connect", "CONNECTED");
                node.ask("start", "STARTED");
                nodes.add(node);
            }
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            String what = PARTITIONS + " partitions on " + processes + (processes == 1 ? " process" : " processes")
                    + ", lease " + LEASE.toSeconds() + " s: ";
            List<Gauge> before = gauges(nodes);
            Map<String, Long> sent = lab.redis().observe(PartitionsScenario::count);
            List<Gauge> after = gauges(nodes);
            sent.keySet().removeAll(Rates.calledByScripts(lab.redis()));
            long requests = sent.values().stream().mapToLong(Long::longValue).sum();
            return List.of(
                    new Row(what + "led by each", "even", held(nodes).toString()),
                    new Row(
                            what + "Redis commands",
                            "<= 4/s",
                            String.format(Locale.ROOT, "%.2f/s: %s", requests / (double) SECONDS, sent)),
                    new Row(
                            what + "CPU of a core, each process",
                            "< 2 %",
                            cpu(before, after).toString()));
        }
    }

    private static Map<String, Long> count(RedisCommands<String, String> redis) {
        return CommandCount.during(redis, Duration.ofSeconds(SECONDS)).without(Set.of());
    }

    private static List<Gauge> gauges(List<NodeProcess> nodes) throws InterruptedException {
        List<Gauge> gauges = new ArrayList<>();
        for (NodeProcess node : nodes) {
            gauges.add(Gauge.of(node.ask("gauge", "GAUGE")));
        }
        return gauges;
    }

    private static List<Long> held(List<NodeProcess> nodes) throws InterruptedException {
        List<Long> held = new ArrayList<>();
        for (NodeProcess node : nodes) {
            held.add(node.ask("held", "HELD").number(1));
        }
        return held;
    }

    private static List<String> cpu(List<Gauge> before, List<Gauge> after) {
        return IntStream.range(0, before.size())
                .mapToObj(i -> {
                    double nanos = after.get(i).cpuNanos() - before.get(i).cpuNanos();
                    return String.format(
                            Locale.ROOT,
                            "%.2f %%",
                            100 * nanos / (after.get(i).at() - before.get(i).at()));
                })
                .toList();
    }
}
