package dev.election.benchmarks;

import dev.election.benchmarks.Rates.Point;
import dev.election.benchmarks.Rates.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Compares the requests of a process that leads many elections with those of processes that hold as many locks. */
record LedRows(Rates rates, int number, int elections, String target) implements Scenario {

    @Override
    public List<Row> run() throws Exception {
        rates.measure(points());
        List<Row> rows = new ArrayList<>();
        for (Point point : points()) {
            Rate rate = rates.of(point);
            boolean isOurs = point.library() == Library.ELECTION;
            String what = number + ": " + elections + " elections led by one process, lease " + Rates.LEASE.toSeconds()
                    + " s, " + point.library().title();
            rows.add(new Row(what + ": requests", isOurs ? target : "-", rate.toString()));
            rows.add(new Row(
                    what + ": longest script", isOurs ? "<= 5000 us" : "-", LongestScript.text(rate.longestScript())));
        }
        return rows;
    }

    private List<Point> points() {
        return Stream.of(Library.values())
                .map(library -> new Point(library, elections, 0))
                .toList();
    }
}
