package dev.election.faults.report;

import dev.election.faults.checker.Bound;
import dev.election.faults.checker.Episode;
import dev.election.faults.checker.Gap;
import dev.election.faults.checker.Overlap;
import dev.election.faults.checker.Verdict;
import dev.election.faults.history.Entry;
import dev.election.faults.nemesis.Fault;
import dev.election.faults.nemesis.Plan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** A row for each kind of fault and whom it befell, in Markdown. */
final class FaultTable {

    private static final String PAIR = "two at a time";

    private final Map<String, Row> rows = new LinkedHashMap<>();

    /** Creates the table; in the other elections, the faults are the same. */
    FaultTable(List<Verdict> verdicts, List<Verdict> others) {
        Map<String, Integer> order = order();
        List<Map.Entry<String, Sample>> samples = new ArrayList<>();
        verdicts.forEach(verdict -> verdict.episodes()
                .forEach(episode ->
                        samples.add(sample(verdict, episode, episode.faults().size()))));
        others.forEach(verdict -> verdict.episodes().forEach(episode -> samples.add(sample(verdict, episode, 0))));
        samples.sort(Comparator.comparingInt(sample -> order.getOrDefault(faultOf(sample.getKey()), 999)));
        samples.forEach(sample ->
                rows.computeIfAbsent(sample.getKey(), key -> new Row()).add(sample.getValue()));
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("| fault | of | lease | runs | two led | two led, beyond a lease (longest) | longest without leader"
                + " | of it, after the bound's start | bound |");
        lines.add("|---|---|---:|---:|---:|---:|---:|---:|---:|");
        rows.forEach((key, row) -> lines.add(row.line(key)));
        return lines;
    }

    private static Map<String, Integer> order() {
        List<String> names = Plan.faults().map(Fault::name).toList();
        return names.stream().distinct().collect(Collectors.toMap(name -> name, names::indexOf));
    }

    private static String faultOf(String key) {
        return key.split("\\|", -1)[0];
    }

    private static Map.Entry<String, Sample> sample(Verdict verdict, Episode episode, int faults) {
        Entry.Injected first = episode.faults().get(0);
        long lease = verdict.history().about().leaseMillis();
        String topology = verdict.history().about().topology();
        boolean isPair = episode.faults().size() > 1;
        String key = (isPair ? PAIR : first.fault()) + "|" + (isPair ? topology : first.target()) + "|" + lease;
        return Map.entry(
                key,
                Sample.of(
                        verdict,
                        episode,
                        faults,
                        Bound.of(episode.consequences(), verdict.history().about())));
    }

    /** Outcome of one episode. */
    private record Sample(int faults, long overlaps, long known, long longestKnown, long gap, long late, long bound) {

        static Sample of(Verdict verdict, Episode episode, int faults, long bound) {
            List<Gap> gaps = verdict.gaps().stream()
                    .filter(gap -> isOf(episode, gap.from(), verdict))
                    .toList();
            List<Overlap> overlaps = verdict.overlaps().stream()
                    .filter(overlap -> isOf(episode, overlap.from(), verdict))
                    .toList();
            return new Sample(
                    faults,
                    overlaps.stream().filter(overlap -> !overlap.beyondALease()).count(),
                    overlaps.stream().filter(Overlap::beyondALease).count(),
                    overlaps.stream()
                            .filter(Overlap::beyondALease)
                            .mapToLong(Overlap::nanos)
                            .max()
                            .orElse(0),
                    gaps.stream().mapToLong(Gap::nanos).max().orElse(0),
                    gaps.stream()
                            .mapToLong(gap -> gap.until() - Math.max(gap.from(), episode.countsFrom()))
                            .map(late -> Math.max(0, late))
                            .max()
                            .orElse(0),
                    bound);
        }
    }

    private static boolean isOf(Episode episode, long time, Verdict verdict) {
        long lease = verdict.history().about().leaseMillis() * 1_000_000;
        return episode.equals(Episode.before(time, verdict.episodes(), lease));
    }

    /** All episodes with the same fault. */
    private static final class Row {

        private final List<Sample> samples = new ArrayList<>();

        void add(Sample sample) {
            samples.add(sample);
        }

        String line(String key) {
            String[] words = key.split("\\|", -1);
            long known = samples.stream().mapToLong(Sample::known).sum();
            return "| "
                    + String.join(
                            " | ",
                            title(words[0]),
                            words[1].toLowerCase(Locale.ROOT),
                            Long.parseLong(words[2]) / 1000.0 + " s",
                            Integer.toString(
                                    samples.stream().mapToInt(Sample::faults).sum()),
                            Long.toString(
                                    samples.stream().mapToLong(Sample::overlaps).sum()),
                            known == 0 ? "0" : known + " (" + millis(max(Sample::longestKnown)) + ")",
                            millis(max(Sample::gap)),
                            millis(max(Sample::late)),
                            millis(max(Sample::bound)))
                    + " |";
        }

        private long max(ToLongFunction<Sample> what) {
            return samples.stream().mapToLong(what).max().orElse(0);
        }

        private static String title(String name) {
            return Plan.faults()
                    .filter(fault -> fault.name().equals(name))
                    .map(Fault::title)
                    .findFirst()
                    .orElse(name);
        }

        private static String millis(long nanos) {
            return String.format(Locale.ROOT, "%,d ms", Math.round(nanos / 1e6));
        }
    }
}
