package dev.election.faults;

import dev.election.faults.Arena.Assignment;
import dev.election.faults.checker.Checker;
import dev.election.faults.checker.Verdict;
import dev.election.faults.history.History;
import dev.election.faults.nemesis.Fault;
import dev.election.faults.nemesis.Plan;
import dev.election.faults.report.Rounds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One fault again and again, so that what it leads to can be counted and compared.
 *
 * @param kind of store
 * @param fault of those that only this kind has
 */
record Scenario(Plan.Kind kind, Fault fault) {

    private static final Duration LEASE = Duration.ofSeconds(5);

    /** In leases, half of it at least: longer than a renewal interval. */
    private static final double REST = 0.8;

    private static final long SEED = 14;

    /** Finds a scenario by the name of its fault, written with hyphens. */
    static Scenario named(String name) {
        List<Scenario> all = Arrays.stream(Plan.Kind.values())
                .flatMap(kind -> kind.ownFaults().map(fault -> new Scenario(kind, fault)))
                .toList();
        return all.stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(all.stream()
                        .map(Scenario::name)
                        .collect(Collectors.joining(", ", "Not a scenario: " + name + ". There are ", ""))));
    }

    /** Whether no promise was broken. */
    boolean run(int rounds, Path folder) throws Exception {
        Assignment assignment = new Assignment(name(), kind, LEASE, Plan.of(Collections.nCopies(rounds, fault), SEED));
        try (Arena arena = new Arena(folder, REST)) {
            Path history = arena.run(List.of(assignment), 1, () -> true).get(0);
            Verdict verdict = Checker.judge(History.read(history));
            System.out.print(Rounds.of(verdict).markdown());
            return verdict.isClean();
        }
    }

    private String name() {
        return fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
