package dev.election.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The main class: {@code benchmarks.jar <scenario>... | all}. */
public final class Benchmarks {

    /** A scenario that takes longer hangs; the exit ends its processes. */
    private static final Duration LIMIT = Duration.ofMinutes(12);

    private Benchmarks() {}

    /**
     * Runs the named scenarios in their fixed order and prints their rows as one table.
     *
     * @param names of scenarios, or {@code all}
     */
    public static void main(String[] names) {
        Map<String, Scenario> scenarios = scenarios();
        List<String> chosen = List.of(names).equals(List.of("all")) ? List.copyOf(scenarios.keySet()) : List.of(names);
        if (chosen.isEmpty() || !scenarios.keySet().containsAll(chosen)) {
            System.err.println("Give one or more of " + scenarios.keySet() + ", or all");
            System.exit(2);
        }
        List<Row> rows = new ArrayList<>();
        boolean failed = false;
        for (Map.Entry<String, Scenario> scenario : scenarios.entrySet()) {
            if (chosen.contains(scenario.getKey())) {
                failed |= !run(scenario.getKey(), scenario.getValue(), rows);
            }
        }
        System.out.println("\n| what | target | measured |\n|---|---|---|");
        rows.forEach(System.out::println);
        System.exit(failed ? 1 : 0);
    }

    private static boolean run(String name, Scenario scenario, List<Row> rows) {
        System.out.println("# " + name);
        Thread limit = new Thread(Benchmarks::giveUp, "limit");
        limit.setDaemon(true);
        limit.start();
        try {
            List<Row> measured = scenario.run();
            measured.forEach(System.out::println);
            rows.addAll(measured);
            return true;
        } catch (Exception failure) {
            System.err.println(name + " failed");
            failure.printStackTrace();
            return false;
        } finally {
            limit.interrupt();
        }
    }

    private static void giveUp() {
        try {
            TimeUnit.NANOSECONDS.sleep(LIMIT.toNanos());
        } catch (InterruptedException done) {
            return;
        }
        System.err.println("Given up after " + LIMIT);
        System.exit(3);
    }

    private static Map<String, Scenario> scenarios() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        all.put("isleader", new IsLeaderScenario());
        all.put("guard", new GuardScenario());
        all.put("release", new ReleaseScenario());
        all.put("kill", new KillScenario());
        all.put("steady", new SteadyScenario(1, 1));
        all.put("many", new SteadyScenario(20, 20));
        all.put("thousand", new ThousandScenario());
        all.put("stop", new StopScenario());
        all.put("empty", new EmptyScenario());
        all.put("first", new FirstScenario());
        return all;
    }
}
