package dev.election.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The main class: {@code benchmarks.jar <scenario>... | all}, where {@code growth} may be followed by numbers of rows. */
public final class Benchmarks {

    /** A scenario that takes longer hangs; the exit ends its processes. */
    private static final Duration LIMIT = Duration.ofMinutes(12);

    private Benchmarks() {}

    /**
     * Runs the named scenarios in their fixed order and prints their rows as one table.
     *
     * @param words names of scenarios, or {@code all}, and numbers of the rows of {@code growth}
     */
    public static void main(String[] words) {
        Set<Integer> numbers = Stream.of(words)
                .filter(Benchmarks::isNumber)
                .map(Integer::valueOf)
                .collect(Collectors.toSet());
        List<String> names = Stream.of(words).filter(word -> !isNumber(word)).toList();
        Map<String, List<Scenario>> scenarios = scenarios(numbers);
        List<String> chosen = names.equals(List.of("all")) ? List.copyOf(scenarios.keySet()) : names;
        boolean isAboutGrowth = chosen.contains("growth") && numbers.stream().allMatch(GrowthRows::isRow);
        if (chosen.isEmpty() || !scenarios.keySet().containsAll(chosen) || !(numbers.isEmpty() || isAboutGrowth)) {
            System.err.println(
                    "Give one or more of " + scenarios.keySet() + ", or all; after growth numbers of its rows");
            System.exit(2);
        }
        List<Row> rows = new ArrayList<>();
        boolean failed = false;
        for (Map.Entry<String, List<Scenario>> scenario : scenarios.entrySet()) {
            if (chosen.contains(scenario.getKey())) {
                for (Scenario part : scenario.getValue()) {
                    failed |= !run(scenario.getKey(), part, rows);
                }
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

    private static boolean isNumber(String word) {
        return word.matches("\\d{1,3}");
    }

    private static Map<String, List<Scenario>> scenarios(Set<Integer> rows) {
        Map<String, List<Scenario>> all = new LinkedHashMap<>();
        all.put("isleader", List.of(new IsLeaderScenario()));
        all.put("guard", List.of(new GuardScenario()));
        all.put("work", List.of(new WorkScenario()));
        all.put("release", List.of(new ReleaseScenario()));
        all.put("kill", List.of(new KillScenario()));
        all.put("steady", List.of(new SteadyScenario(1, 1)));
        all.put("many", List.of(new SteadyScenario(20, 20)));
        all.put("steering", List.of(new SteeringScenario()));
        all.put("thousand", List.of(new ThousandScenario()));
        all.put("partitions", List.of(new PartitionsScenario()));
        all.put("stop", List.of(new StopScenario()));
        all.put("empty", List.of(new EmptyScenario()));
        all.put("first", List.of(new FirstScenario()));
        all.put(
                "jobs",
                List.of(
                        new JobsScenario(Contestant.PLAIN_JOB, "`@LeaderOnly`", false),
                        new JobsScenario(Contestant.LEADER_JOB, "`@LeaderOnly(recoverWithin, EVERY)`", true),
                        new JobsScenario(Contestant.LOCK_JOB, "ShedLock `@SchedulerLock`", true)));
        all.put("members", List.of(new MembersScenario(3), new MembersScenario(10), new MembersScenario(100)));
        all.put("database", List.of(new DatabaseScenario()));
        all.put(
                "kubernetes",
                List.of(new StoreScenario(Duration.ofSeconds(15), StoreLibrary.KUBERNETES, StoreLibrary.FABRIC8)));
        all.put("etcd", List.of(new StoreScenario(Duration.ofSeconds(5), StoreLibrary.ETCD, StoreLibrary.JETCD)));
        all.put(
                "zookeeper",
                List.of(new StoreScenario(Duration.ofSeconds(5), StoreLibrary.ZOOKEEPER, StoreLibrary.CURATOR)));
        all.put("start", List.of(new StartScenario()));
        all.put("growth", GrowthRows.scenarios(rows));
        return all;
    }
}
