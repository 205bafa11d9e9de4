package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Measures what three applications send while nothing happens, steered in several ways: all at a time, each group over a Redis of its own. */
final class SteeringScenario implements Scenario {

    private static final int NODES = 3;
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final int SETTLE_SECONDS = 60;
    private static final int SECONDS = 60;

    private static final Map<String, Contestant> GROUPS = groups();

    private static Map<String, Contestant> groups() {
        Map<String, Contestant> groups = new LinkedHashMap<>();
        groups.put("nothing", Contestant.STEERED_NOT);
        groups.put("`members.enabled`", Contestant.STEERED_MEMBERS);
        groups.put("`priority`, `preempt`", Contestant.STEERED_PREEMPTING);
        groups.put("`abdicate-when-down`", Contestant.STEERED_BY_HEALTH);
        groups.put("`drainable`", Contestant.STEERED_DRAINABLE);
        return groups;
    }

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        Map<String, Lab> labs = new LinkedHashMap<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            GROUPS.forEach((what, contestant) -> labs.put(what, new Lab(contestant)));
            for (Lab lab : labs.values()) {
                for (int number = 0; number < NODES; number++) {
                    lab.launch("n" + number, LEASE);
                }
            }
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            Map<String, Future<String>> measured = new LinkedHashMap<>();
            labs.forEach((what, lab) -> measured.put(what, threads.submit(() -> requests(lab.redis()))));
            List<Row> rows = new ArrayList<>();
            for (Map.Entry<String, Future<String>> one : measured.entrySet()) {
                rows.add(new Row(one.getKey(), "", one.getValue().get()));
            }
            return rows;
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure);
        } finally {
            threads.shutdownNow();
            labs.values().forEach(Lab::close);
        }
    }

    private static String requests(ObservedRedis redis) throws IOException, InterruptedException {
        CommandCount count = redis.observe(commands -> CommandCount.during(commands, Duration.ofSeconds(SECONDS)));
        Set<String> calledByScripts = new HashSet<>(CommandCount.calledByOurScripts());
        calledByScripts.addAll(Rates.calledByScripts(redis));
        Map<String, Long> sent = count.without(calledByScripts);
        double all = sent.values().stream().mapToLong(Long::longValue).sum();
        return String.format(Locale.ROOT, "%.2f/s over %d s: %s", all / SECONDS, SECONDS, sent);
    }
}
