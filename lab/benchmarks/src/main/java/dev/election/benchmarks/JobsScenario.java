package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A job each second on three nodes: slots that are run twice, or by nobody, while the node that runs them is killed or stopped for longer than its
 * lease or lock; and what is sent for it while nothing happens.
 */
final class JobsScenario implements Scenario {

    private static final int NODES = 3;
    private static final int FAULTS = 20;
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration STOP = Duration.ofSeconds(8);
    private static final int QUIET_SECONDS = 30;

    private final Contestant contestant;
    private final String what;
    private final boolean tellsSlots;

    /**
     * @param contestant whose nodes have the job
     * @param what it is called in the table
     * @param tellsSlots whether the job knows its slot
     */
    JobsScenario(Contestant contestant, String what, boolean tellsSlots) {
        this.contestant = contestant;
        this.what = what;
        this.tellsSlots = tellsSlots;
    }

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        try (Lab lab = new Lab(contestant)) {
            Map<String, NodeProcess> nodes = new HashMap<>();
            for (int number = 0; number < NODES; number++) {
                start(lab, nodes, "n" + number);
            }
            awaitRun(lab, lab.journal().end());
            TimeUnit.SECONDS.sleep(LEASE.toSeconds());
            rows.add(requests(lab));
            if (tellsSlots) {
                int begin = lab.journal().end();
                Map<String, Integer> faults = fault(lab, nodes);
                rows.add(slots(lab.journal().since(begin, report -> true), faults));
            }
        }
        return rows;
    }

    private Row requests(Lab lab) throws IOException, InterruptedException {
        int begun = lab.journal().end();
        try (Monitor monitor = new Monitor(lab.redis().port())) {
            long begin = monitor.mark();
            TimeUnit.SECONDS.sleep(QUIET_SECONDS);
            long end = monitor.mark();
            Map<String, Long> sent = monitor.requests(begin, end).stream()
                    .map(Call::command)
                    .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
            int runs = lab.journal().since(begun, report -> report.is("BEGUN")).size();
            double all = sent.values().stream().mapToLong(Long::longValue).sum();
            return new Row(
                    what + ": requests of " + NODES + " nodes for a job each second",
                    "-",
                    String.format(
                            Locale.ROOT,
                            "%.2f/s, %.2f a run, over %d s and %d runs: %s",
                            all / QUIET_SECONDS,
                            all / runs,
                            QUIET_SECONDS,
                            runs,
                            sent));
        }
    }

    /** Kills and stops whoever runs the job, in turn, now and then in the middle of a run. */
    private Map<String, Integer> fault(Lab lab, Map<String, NodeProcess> nodes)
            throws IOException, InterruptedException {
        Random random = new Random(19);
        Map<String, Integer> done = new TreeMap<>();
        for (int fault = 0; fault < FAULTS; fault++) {
            Report begun = awaitRun(lab, lab.journal().end());
            TimeUnit.MILLISECONDS.sleep(random.nextInt(1_000));
            NodeProcess victim = nodes.get(begun.node());
            if (victim == null) {
                throw new IllegalStateException("Not a living node: " + begun.node());
            }
            if (fault % 2 == 0) {
                victim.kill();
                nodes.remove(begun.node());
                start(lab, nodes, "r" + fault);
                done.merge("kill -9", 1, Integer::sum);
            } else {
                victim.signal("STOP");
                TimeUnit.MILLISECONDS.sleep(STOP.toMillis());
                victim.signal("CONT");
                done.merge("SIGSTOP for " + STOP.toSeconds() + " s", 1, Integer::sum);
            }
            TimeUnit.MILLISECONDS.sleep(LEASE.toMillis() + 2_000);
        }
        return done;
    }

    private Row slots(List<Report> reports, Map<String, Integer> faults) {
        TreeMap<Long, Long> begun = reports.stream()
                .filter(report -> report.is("BEGUN"))
                .collect(Collectors.groupingBy(report -> report.number(0), TreeMap::new, Collectors.counting()));
        TreeMap<Long, Long> ended = reports.stream()
                .filter(report -> report.is("ENDED"))
                .collect(Collectors.groupingBy(report -> report.number(0), TreeMap::new, Collectors.counting()));
        long first = begun.firstKey();
        long slots = begun.lastKey() - first + 1;
        long doubled = begun.values().stream().filter(times -> times > 1).count();
        long cutOff =
                begun.keySet().stream().filter(slot -> !ended.containsKey(slot)).count();
        return new Row(
                what + ": slots that were run twice, and by nobody",
                "0 and 0",
                "**" + doubled + " and " + (slots - begun.size()) + "** of " + slots + " (" + cutOff
                        + " cut off in their run) with " + faults);
    }

    private static void start(Lab lab, Map<String, NodeProcess> nodes, String id)
            throws IOException, InterruptedException {
        nodes.put(id, lab.launch(id, LEASE));
    }

    private static Report awaitRun(Lab lab, int from) throws InterruptedException {
        return lab.journal().await(from, Duration.ofSeconds(60), "a run", report -> report.is("BEGUN"));
    }
}
