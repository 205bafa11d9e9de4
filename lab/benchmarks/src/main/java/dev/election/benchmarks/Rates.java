package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Measures the requests that crowds send while nothing happens, each over a Redis of its own. */
final class Rates {

    static final Duration LEASE = Duration.ofSeconds(15);

    private static final int SETTLE_SECONDS = 20;
    private static final int SECONDS = 30;

    /** Three rounds of renewals: each script is seen, and all that it calls. */
    private static final Duration SCRIPTS = LEASE;

    private static final int A_PROCESS = 200;

    private final Map<Point, Rate> known = new HashMap<>();

    Rate of(Point point) {
        Rate rate = known.get(point);
        if (rate == null) {
            throw new IllegalArgumentException("Not measured: " + point);
        }
        return rate;
    }

    /** Measures those that are not known yet, all at a time: it is requests that are counted, and few of them. */
    void measure(Collection<Point> points) throws IOException, InterruptedException, ExecutionException {
        Map<Point, Lab> labs = new LinkedHashMap<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            for (Point point : points) {
                if (!known.containsKey(point)) {
                    // All of them before the first process of a crowd: no executable is written while another thread
                    // forks.
                    labs.put(point, new Lab(Contestant.CROWD));
                }
            }
            Map<Point, Future<Rate>> measured = new LinkedHashMap<>();
            labs.forEach((point, lab) -> measured.put(point, threads.submit(() -> measure(point, lab))));
            for (Map.Entry<Point, Future<Rate>> one : measured.entrySet()) {
                known.put(one.getKey(), one.getValue().get());
            }
        } finally {
            threads.shutdownNow();
            for (Lab lab : labs.values()) {
                lab.close();
            }
        }
    }

    private static Rate measure(Point point, Lab lab) throws IOException, InterruptedException {
        Crowd crowd = new Crowd(lab, point.library(), LEASE, point.elections());
        crowd.openFollowers(point.followers(), A_PROCESS);
        crowd.startFollowers(Duration.ofMinutes(1));
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        CommandCount count = lab.redis().observe(redis -> CommandCount.during(redis, Duration.ofSeconds(SECONDS)));
        long longestScript = LongestScript.watch(lab.redis(), SCRIPTS);
        return Rate.of(count.without(calledByScripts(lab.redis())), longestScript);
    }

    /** Afterwards: while a MONITOR sees each of their calls, scripts take longer, and of the requests of this library fewer share one. */
    static Set<String> calledByScripts(ObservedRedis redis) throws IOException, InterruptedException {
        try (Monitor monitor = new Monitor(redis.port())) {
            long begin = monitor.mark();
            TimeUnit.NANOSECONDS.sleep(SCRIPTS.toNanos());
            List<Call> calls = monitor.between(begin, monitor.mark());
            Set<String> byScripts = names(calls, true);
            Set<String> byBoth = names(calls, false);
            byBoth.retainAll(byScripts);
            if (!byBoth.isEmpty()) {
                throw new IllegalStateException(
                        "Sent by clients and called by scripts, so that requests can't be counted: " + byBoth);
            }
            return byScripts;
        }
    }

    private static Set<String> names(List<Call> calls, boolean inScripts) {
        return calls.stream()
                .filter(call -> call.isInScript() == inScripts)
                .map(Call::command)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * A crowd to measure.
     *
     * @param library what its nodes run
     * @param elections how many one of them leads
     * @param followers how many follow
     */
    record Point(Library library, int elections, int followers) {}

    /**
     * The requests of a crowd.
     *
     * @param aSecond requests a second
     * @param requests how many there were, by command
     * @param longestScript in microseconds, 0 for one that is too short to be told
     */
    record Rate(double aSecond, Map<String, Long> requests, long longestScript) {

        private static Rate of(Map<String, Long> requests, long longestScript) {
            long all = requests.values().stream().mapToLong(Long::longValue).sum();
            return new Rate((double) all / SECONDS, requests, longestScript);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.2f/s over %d s: %s", aSecond, SECONDS, requests);
        }
    }
}
