package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Measures what a library adds to the start of an application with web, Actuator, a Redis and a job, which is started with each in turn. */
final class StartScenario implements Scenario {

    private static final int ROUNDS = 5;
    private static final int SETTLE_SECONDS = 8;
    private static final Duration LEASE = Duration.ofSeconds(15);

    /** Libraries that are added to the application. */
    private enum Added {
        NOTHING(Contestant.PLAIN_START, "nothing", "-"),
        STARTER(Contestant.LEADER_START, "this starter, `@LeaderOnly`", "+0.25 s, +0.8 s, +4"),
        SHEDLOCK(Contestant.LOCK_START, "ShedLock 7.7.0, Redis provider", "-"),
        INTEGRATION(Contestant.INITIATOR_START, "Spring Integration 7.1.0, lock registry and leader initiator", "-");

        private final Contestant contestant;
        private final String title;
        private final String target;

        Added(Contestant contestant, String title, String target) {
            this.contestant = contestant;
            this.title = title;
            this.target = target;
        }
    }

    /**
     * An application that has started.
     *
     * @param started seconds from the begin of its virtual machine
     * @param processor seconds of processor time, some seconds after that
     * @param threads then
     * @param classes loaded until then
     * @param heap MB in use then, after a collection
     */
    private record Start(double started, double processor, double threads, double classes, double heap) {}

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        Map<Added, List<Start>> starts = new EnumMap<>(Added.class);
        for (int round = 0; round < ROUNDS; round++) {
            for (Added added : Added.values()) {
                starts.computeIfAbsent(added, first -> new ArrayList<>()).add(start(added));
            }
        }
        List<Start> plain = starts.getOrDefault(Added.NOTHING, List.of());
        List<Row> rows = new ArrayList<>();
        starts.forEach((added, measured) -> rows.add(new Row(
                "start of an application with " + added.title
                        + ": until it has started, processor time " + SETTLE_SECONDS
                        + " s later, threads, classes, heap",
                added.target,
                added == Added.NOTHING ? absolute(measured) : difference(measured, plain))));
        return rows;
    }

    private static Start start(Added added) throws IOException, InterruptedException {
        try (Lab lab = new Lab(added.contestant)) {
            NodeProcess node = lab.launch("n0", LEASE);
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            Report used = node.ask("used", "USED");
            Report collected = node.ask("collect", "COLLECTED");
            return new Start(
                    used.number(0) / 1e3,
                    used.number(2) / 1e9,
                    used.words().get(4).split(",", -1).length,
                    used.number(5),
                    collected.number(2) / (1024.0 * 1024));
        }
    }

    private static String absolute(List<Start> starts) {
        return String.format(
                Locale.ROOT,
                "%.2f s, %.2f s, %.0f, %.0f, %.1f MB",
                median(starts, Start::started),
                median(starts, Start::processor),
                median(starts, Start::threads),
                median(starts, Start::classes),
                median(starts, Start::heap));
    }

    private static String difference(List<Start> starts, List<Start> plain) {
        return String.format(
                Locale.ROOT,
                "%+.2f s, %+.2f s, %+.0f, %+.0f, %+.1f MB",
                median(starts, Start::started) - median(plain, Start::started),
                median(starts, Start::processor) - median(plain, Start::processor),
                median(starts, Start::threads) - median(plain, Start::threads),
                median(starts, Start::classes) - median(plain, Start::classes),
                median(starts, Start::heap) - median(plain, Start::heap));
    }

    private static double median(List<Start> starts, ToDoubleFunction<Start> of) {
        double[] sorted = starts.stream().mapToDouble(of).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
