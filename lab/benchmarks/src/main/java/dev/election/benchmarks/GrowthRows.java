package dev.election.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** How the cost grows with elections and followers, in numbered rows that can be run one by one. */
final class GrowthRows {

    private static final int PLOT = 11;
    private static final int LAST = 12;

    private final Set<Integer> chosen;
    private final List<Scenario> scenarios = new ArrayList<>();

    private GrowthRows(Set<Integer> chosen) {
        this.chosen = new TreeSet<>(chosen);
        for (int number = 1; chosen.isEmpty() && number <= LAST; number++) {
            this.chosen.add(number);
        }
    }

    /**
     * Creates the scenarios that measure the rows.
     *
     * @param chosen the numbers of the rows, none for all
     */
    static List<Scenario> scenarios(Set<Integer> chosen) {
        GrowthRows rows = new GrowthRows(chosen);
        Rates rates = new Rates();
        rows.add(new LedRows(rates, 1, 100, "<= 0.4/s"), 1);
        rows.add(new LedRows(rates, 2, 1000, "<= 1/s"), 2);
        rows.add(new GroupRows(rows.chosen), GroupRows.STEADY, GroupRows.KILLED, GroupRows.STRESSED);
        rows.add(new StartRows(4), 4);
        rows.add(new ReconnectRows(5), 5);
        rows.add(new HandOverRows(7), 7);
        rows.add(new BurstRows(8), 8);
        rows.add(new QueueRows(9), 9);
        rows.add(new GrowthPlot(rates, PLOT), PLOT);
        rows.add(new ApplicationRows(LAST), LAST);
        return rows.scenarios;
    }

    static boolean isRow(int number) {
        return number >= 1 && number <= LAST;
    }

    private void add(Scenario scenario, Integer... numbers) {
        if (List.of(numbers).stream().anyMatch(chosen::contains)) {
            scenarios.add(scenario);
        }
    }
}
