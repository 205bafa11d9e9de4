package dev.election.benchmarks;

import dev.election.benchmarks.LogPlot.Panel;
import dev.election.benchmarks.LogPlot.Series;
import dev.election.benchmarks.Rates.Point;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Requests a second against elections and against followers, as a picture. */
record GrowthPlot(Rates rates, int number) implements Scenario {

    private static final Path PICTURE = Path.of("growth.svg");
    private static final List<Integer> ELECTIONS = List.of(1, 10, 100, 1000);
    private static final List<Integer> FOLLOWERS = List.of(1, 10, 100, 400);

    @Override
    public List<Row> run() throws Exception {
        BiFunction<Library, Integer, Point> led = (library, count) -> new Point(library, count, 0);
        BiFunction<Library, Integer, Point> followed = (library, count) -> new Point(library, 1, count);
        List<Point> points = new ArrayList<>();
        for (Library library : Library.values()) {
            ELECTIONS.forEach(count -> points.add(led.apply(library, count)));
        }
        rates.measure(points);
        for (Library library : Library.values()) {
            // One library at a time: these are hundreds of nodes.
            rates.measure(FOLLOWERS.stream()
                    .map(count -> followed.apply(library, count))
                    .toList());
        }
        List<Series> byElections = series(ELECTIONS, led);
        List<Series> byFollowers = series(FOLLOWERS, followed);
        String svg = LogPlot.draw(
                "requests per second",
                List.of(
                        new Panel("One process leads n elections", "elections", byElections),
                        new Panel("One election with n followers", "followers", byFollowers)));
        Files.writeString(PICTURE, svg);
        List<Row> rows = new ArrayList<>();
        byElections.forEach(series -> rows.add(row("n elections led by one process", series)));
        byFollowers.forEach(series -> rows.add(row("one election with n followers", series)));
        return rows;
    }

    private List<Series> series(List<Integer> counts, BiFunction<Library, Integer, Point> point) {
        List<Series> all = new ArrayList<>();
        for (Library library : Library.values()) {
            SortedMap<Integer, Double> values = new TreeMap<>(counts.stream()
                    .collect(Collectors.toMap(Function.identity(), count -> rates.of(point.apply(library, count))
                            .aSecond())));
            all.add(new Series(library.title().replace("`", ""), values));
        }
        return all;
    }

    private Row row(String what, Series series) {
        String measured = series.values().entrySet().stream()
                .map(point -> String.format(Locale.ROOT, "%d: %.2f/s", point.getKey(), point.getValue()))
                .collect(Collectors.joining(", "));
        return new Row(
                number + ": " + what + ", lease " + Rates.LEASE.toSeconds() + " s, " + series.name() + ": requests",
                "-",
                measured + "; drawn in " + PICTURE);
    }
}
