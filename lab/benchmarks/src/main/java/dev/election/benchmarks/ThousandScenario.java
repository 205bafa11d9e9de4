package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Measures the resources of a process that leads a thousand elections. */
final class ThousandScenario implements Scenario {

    private static final int ELECTIONS = 1000;
    private static final Duration LEASE = Duration.ofSeconds(15);
    /** Until renewals are compiled: the compiler costs more than they do. */
    private static final int SETTLE_SECONDS = 110;

    private static final int SECONDS = 30;

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        try (Lab lab = new Lab()) {
            NodeProcess node = lab.launch("n0", LEASE);
            Gauge bare = Gauge.of(node.ask("collect", "GAUGE"));
            node.ask("open", "OPENED");
            node.ask("connect", "CONNECTED");
            Gauge none = Gauge.of(node.ask("collect", "GAUGE"));
            node.ask("joinMany " + ELECTIONS, "JOINED");
            long begun = node.ask("start", "STARTED").number(0);
            long all = node.ask("leadAll", "LEADING").number(0);
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            Gauge before = Gauge.of(node.ask("gauge", "GAUGE"));
            TimeUnit.SECONDS.sleep(SECONDS);
            Gauge after = Gauge.of(node.ask("gauge", "GAUGE"));
            Gauge collected = Gauge.of(node.ask("collect", "GAUGE"));
            return rows(bare, none, before, after, collected, all - begun);
        }
    }

    private static List<Row> rows(Gauge bare, Gauge none, Gauge before, Gauge after, Gauge collected, long all) {
        double cpu = 100.0 * (after.cpuNanos() - before.cpuNanos()) / (after.at() - before.at());
        double heap = (collected.heapBytes() - none.heapBytes()) / (1024.0 * 1024);
        String what = ELECTIONS + " elections led by one process";
        return List.of(
                new Row(what + ": CPU of a core", "< 2 %", String.format(Locale.ROOT, "%.2f %%", cpu)),
                new Row(what + ": heap for them after GC", "< 64 MB", String.format(Locale.ROOT, "%.1f MB", heap)),
                new Row(what + ": threads of engine and store", "engine: 1", threads(bare, after)),
                new Row(what + ": `start()` -> leads all", "-", Samples.millis(all)));
    }

    /** Threads that the bare JVM did not have, numbers left out. */
    private static String threads(Gauge bare, Gauge now) {
        Map<String, Long> count = now.threads().stream()
                .filter(name -> !bare.threads().contains(name))
                .map(name -> name.replaceAll("-\\d+", "-*"))
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        return count.toString();
    }
}
