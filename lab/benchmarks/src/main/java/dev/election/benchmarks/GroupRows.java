package dev.election.benchmarks;

import dev.election.harness.Children;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Twenty nodes, each a JVM of its own, and two hundred elections, all led by one of them: rows 3, 10 and 6 in one lab. */
record GroupRows(Set<Integer> chosen) implements Scenario {

    static final int STEADY = 3;
    static final int KILLED = 6;
    static final int STRESSED = 10;

    private static final int NODES = 20;
    private static final int ELECTIONS = 200;
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final int SETTLE_SECONDS = 20;
    private static final int STEADY_SECONDS = 30;
    private static final int STRESSED_SECONDS = 60;
    private static final String WHAT =
            NODES + " nodes x " + ELECTIONS + " elections, one leads all, lease " + LEASE.toSeconds() + " s";

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        try (Lab lab = new Lab(Contestant.CROWD)) {
            Crowd crowd = new Crowd(lab, Library.ELECTION, LEASE, ELECTIONS);
            crowd.openFollowers(NODES - 1, 1);
            crowd.startFollowers(Duration.ofMinutes(1));
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            if (chosen.contains(STEADY)) {
                rows.add(steady(lab));
            }
            if (chosen.contains(STRESSED)) {
                rows.add(stressed(crowd));
            }
            if (chosen.contains(KILLED)) {
                rows.addAll(killed(lab, crowd));
            }
        }
        return rows;
    }

    private static Row steady(Lab lab) throws IOException, InterruptedException {
        try (Monitor monitor = new Monitor(lab.redis().port())) {
            long begin = monitor.mark();
            TimeUnit.SECONDS.sleep(STEADY_SECONDS);
            long end = monitor.mark();
            double rate = monitor.requests(begin, end).size() / ((end - begin) / 1e6);
            return new Row(
                    STEADY + ": " + WHAT + ", each node a process: requests",
                    "<= 30/s",
                    String.format(Locale.ROOT, "%.1f/s over %d s", rate, STEADY_SECONDS));
        }
    }

    private static Row stressed(Crowd crowd) throws IOException, InterruptedException {
        String what = STRESSED + ": " + WHAT + ", beside `stress-ng --cpu 4` for " + STRESSED_SECONDS
                + " s: leaderships lost";
        if (!isOnPath("stress-ng")) {
            return new Row(what, "0", "not run: no `stress-ng` on the PATH");
        }
        long before = crowd.tally().lost();
        try (Children others = new Children()) {
            Process stress = others.launch(
                    new ProcessBuilder("stress-ng", "--cpu", "4", "--timeout", Integer.toString(STRESSED_SECONDS))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD));
            int exit = stress.waitFor();
            if (exit != 0) {
                throw new IllegalStateException("stress-ng ended with " + exit);
            }
        }
        return new Row(what, "0", Long.toString(crowd.tally().lost() - before));
    }

    private static List<Row> killed(Lab lab, Crowd crowd) throws IOException, InterruptedException {
        crowd.leader().kill();
        Map<String, Long> ends = endsOfLeases(lab.redis());
        long first = ends.values().stream().mapToLong(Long::longValue).min().orElseThrow();
        long last = ends.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        long second = TimeUnit.SECONDS.toMicros(1);
        try (Monitor monitor = new Monitor(lab.redis().port())) {
            if (monitor.mark() > first) {
                throw new IllegalStateException("A lease ended before anybody looked");
            }
            while (monitor.mark() < last + second) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            List<Call> campaigns = monitor.between(first, last + second).stream()
                    .filter(Call::isCampaign)
                    .toList();
            long inTime = campaigns.stream()
                    .filter(call -> isWithin(call.micros() - ends.getOrDefault(call.election(), 0L), second))
                    .count();
            String what = KILLED + ": " + WHAT + ", `kill -9` of the leader: ";
            return List.of(
                    new Row(
                            what + "campaigns within a second after the end of the lease of each",
                            "<= 600",
                            inTime + "; the leases end within " + Samples.millis((last - first) * 1000)),
                    new Row(
                            what + "requests, and campaigns in them, within a second after the end of the first lease",
                            "-",
                            monitor.requests(first, first + second).size() + ", "
                                    + campaigns.stream()
                                            .filter(call -> isWithin(call.micros() - first, second))
                                            .count()));
        }
    }

    private static boolean isWithin(long elapsed, long limit) {
        return elapsed >= 0 && elapsed < limit;
    }

    /** Ends of the leases by election, in microseconds of the clock of Redis. */
    private static Map<String, Long> endsOfLeases(ObservedRedis redis) {
        return redis.observe(commands -> {
            Map<String, Long> ends = new HashMap<>();
            for (int number = 0; number < ELECTIONS; number++) {
                long end = commands.pexpiretime("bench:{e" + number + "}:lease");
                if (end < 0) {
                    throw new IllegalStateException("The lease of e" + number + " has ended too soon");
                }
                ends.put("e" + number, end * 1000);
            }
            return ends;
        });
    }

    private static boolean isOnPath(String program) {
        return Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator), -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
