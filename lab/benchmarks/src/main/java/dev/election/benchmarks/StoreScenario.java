package dev.election.benchmarks;

import dev.election.harness.Children;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Requests at rest, changes of leader and memory of ten processes over a server, beside ten of another library over another such server. */
final class StoreScenario implements Scenario {

    private static final int MANY = 20;
    private static final int CRASHES = 5;
    private static final int HAND_OVERS = 10;

    private static final Duration SETTLES = Duration.ofSeconds(20);
    private static final Duration COUNTED = Duration.ofSeconds(60);

    /** A server may send requests to itself: the API server renews a Lease of its own each ten seconds. */
    private static final Duration COUNTED_ALONE = Duration.ofSeconds(30);

    /** A process that has just started is busy with itself. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Duration lease;
    private final StoreLibrary ours;
    private final StoreLibrary theirs;

    StoreScenario(Duration lease, StoreLibrary ours, StoreLibrary theirs) {
        this.lease = lease;
        this.ours = ours;
        this.theirs = theirs;
    }

    @Override
    public List<Row> run() throws Exception {
        try (Children children = new Children();
                StoreGroup first = new StoreGroup(ours, lease, children);
                StoreGroup second = new StoreGroup(theirs, lease, children)) {
            List<StoreGroup> groups = List.of(first, second);
            List<Row> rows = new ArrayList<>(rates("none yet", 0, COUNTED_ALONE, groups));
            for (StoreGroup group : groups) {
                group.restart(1);
            }
            TimeUnit.NANOSECONDS.sleep(SETTLES.toNanos());
            rows.addAll(rates("one election", 1, COUNTED, groups));
            for (StoreGroup group : groups) {
                rows.add(row(group, "heap of a process after a collection, and its threads", "-", group.resources()));
            }
            rows.addAll(handOvers(groups));
            rows.addAll(crashes(groups));
            for (StoreGroup group : groups) {
                group.restart(MANY);
            }
            TimeUnit.NANOSECONDS.sleep(SETTLES.plus(lease).toNanos());
            rows.addAll(rates("twenty elections", MANY, COUNTED, groups));
            return rows;
        }
    }

    private static List<Row> rates(String what, int elections, Duration counted, List<StoreGroup> groups)
            throws InterruptedException {
        List<Map<String, Long>> before =
                groups.stream().map(StoreGroup::requests).toList();
        List<Integer> leaderships = groups.stream().map(StoreGroup::leaderships).toList();
        TimeUnit.NANOSECONDS.sleep(counted.toNanos());
        List<Row> rows = new ArrayList<>();
        for (int index = 0; index < groups.size(); index++) {
            StoreGroup group = groups.get(index);
            Map<String, Long> counts = new TreeMap<>(group.requests());
            before.get(index).forEach((key, count) -> counts.merge(key, -count, Long::sum));
            counts.values().removeIf(count -> count == 0);
            long all = counts.values().stream().mapToLong(Long::longValue).sum();
            rows.add(row(
                    group,
                    what + ": requests a second",
                    elections == 0 ? "-" : group.library().rate(elections),
                    String.format(
                            Locale.ROOT,
                            "%.2f in %d s: %s, with %d changes of leader",
                            all / (counted.toMillis() / 1e3),
                            counted.toSeconds(),
                            counts,
                            group.leaderships() - leaderships.get(index))));
        }
        return rows;
    }

    private static List<Row> handOvers(List<StoreGroup> groups) throws InterruptedException {
        List<Samples> samples = groups.stream().map(group -> new Samples()).toList();
        for (int round = 0; round < HAND_OVERS; round++) {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            for (int index = 0; index < groups.size(); index++) {
                samples.get(index).add(groups.get(index).handOver());
            }
            for (StoreGroup group : groups) {
                group.fill();
            }
        }
        List<Row> rows = new ArrayList<>();
        for (int index = 0; index < groups.size(); index++) {
            StoreGroup group = groups.get(index);
            rows.add(row(
                    group,
                    "orderly stop of the leader -> another one leads",
                    group.library().handOver(),
                    samples.get(index).toString()));
        }
        return rows;
    }

    private static List<Row> crashes(List<StoreGroup> groups) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Callable<Row>> tasks = groups.stream()
                    .<Callable<Row>>map(group -> () -> crashes(group))
                    .toList();
            List<Row> rows = new ArrayList<>();
            for (Future<Row> one : threads.invokeAll(tasks)) {
                rows.add(one.get());
            }
            return rows;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Row crashes(StoreGroup group) throws InterruptedException {
        Random random = new Random(group.library().name().hashCode());
        Samples samples = new Samples();
        for (int round = 0; round < CRASHES; round++) {
            samples.add(group.crash(random));
            group.fill();
        }
        return row(
                group,
                "`kill -9` of the leader -> another one leads, past the end of the lease where the server shows it",
                "-",
                samples.toString());
    }

    private static Row row(StoreGroup group, String what, String target, String measured) {
        return new Row(group.library().title() + ", " + what, target, measured);
    }
}
