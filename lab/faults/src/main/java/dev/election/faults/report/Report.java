package dev.election.faults.report;

import dev.election.faults.checker.Overlap;
import dev.election.faults.checker.Verdict;
import dev.election.faults.history.Entry;
import dev.election.faults.history.Entry.Write.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All verdicts of a run, in Markdown. */
public final class Report {

    private final List<Verdict> verdicts;
    private final List<Verdict> others;

    public Report(List<Verdict> verdicts) {
        this(verdicts, List.of());
    }

    /**
     * Creates the report, with the other elections of the nodes.
     *
     * @param others a verdict for each of them in each group
     */
    public Report(List<Verdict> verdicts, List<Verdict> others) {
        this.verdicts = List.copyOf(verdicts);
        this.others = List.copyOf(others);
    }

    public boolean isClean() {
        return Stream.concat(verdicts.stream(), others.stream()).allMatch(Verdict::isClean);
    }

    public String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("| group | Redis | lease | seed | minutes | faults | leaderships | two led | two led, beyond a lease"
                + " | writes accepted | refused | machine stood still | violations |");
        lines.add("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        verdicts.forEach(verdict -> lines.add(groupLine(verdict)));
        lines.add("");
        if (!others.isEmpty()) {
            lines.addAll(otherElections());
            lines.add("");
        }
        lines.addAll(new FaultTable(verdicts, others).lines());
        lines.add("");
        lines.addAll(growth());
        Stream.concat(verdicts.stream(), others.stream()).forEach(verdict -> {
            verdict.violations()
                    .forEach(violation -> lines.add(
                            "- VIOLATION in " + verdict.history().about().name() + ": " + violation));
            verdict.overlaps().stream()
                    .filter(Overlap::beyondALease)
                    .forEach(overlap -> lines.add(String.format(
                            Locale.ROOT,
                            "- beyond a lease, in %s: two led for %.1f ms (tokens %d and %d) at %d",
                            verdict.history().about().name(),
                            overlap.nanos() / 1e6,
                            overlap.older().token(),
                            overlap.newer().token(),
                            overlap.from())));
        });
        return String.join("\n", lines) + "\n";
    }

    private List<String> otherElections() {
        List<String> lines = new ArrayList<>();
        lines.add("| group | other elections | leaderships | of them ended in a living process | two led"
                + " | two led, beyond a lease | violations |");
        lines.add("|---|---:|---:|---:|---:|---:|---:|");
        others.stream()
                .collect(Collectors.groupingBy(
                        verdict -> verdict.history().about().name(), LinkedHashMap::new, Collectors.toList()))
                .forEach((group, all) -> lines.add(String.format(
                        Locale.ROOT,
                        "| %s | %d | %d | %d | %d | %d | %d |",
                        group,
                        all.size(),
                        all.stream()
                                .mapToInt(verdict -> verdict.beliefs().size())
                                .sum(),
                        all.stream().mapToLong(Verdict::endedAlive).sum(),
                        all.stream()
                                .mapToLong(verdict -> verdict.overlaps().size() - known(verdict))
                                .sum(),
                        all.stream().mapToLong(Report::known).sum(),
                        all.stream()
                                .mapToInt(verdict -> verdict.violations().size())
                                .sum())));
        return lines;
    }

    private static long known(Verdict verdict) {
        return verdict.overlaps().stream().filter(Overlap::beyondALease).count();
    }

    private static String groupLine(Verdict verdict) {
        Entry.Begun about = verdict.history().about();
        long known = known(verdict);
        return String.format(
                Locale.ROOT,
                "| %s | %s | %.1f s | %d | %d | %d | %d | %d | %d | %d | %d | %.1f s | %d |",
                about.name(),
                about.topology().toLowerCase(Locale.ROOT),
                about.leaseMillis() / 1000.0,
                about.seed(),
                (verdict.history().end() - about.at()) / 60_000_000_000L,
                verdict.history().all(Entry.Injected.class).size(),
                verdict.beliefs().size(),
                verdict.overlaps().size() - known,
                known,
                writes(verdict, Outcome.APPLIED),
                writes(verdict, Outcome.REFUSED),
                verdict.stalledNanos() / 1e9,
                verdict.violations().size());
    }

    private List<String> growth() {
        List<String> lines = new ArrayList<>();
        verdicts.forEach(verdict -> verdict.growth()
                .forEach(process -> lines.add(String.format(
                        Locale.ROOT,
                        "| %s | %d | %d -> %d | %d -> %d | %.1f -> %.1f MB |",
                        process.node(),
                        process.samples(),
                        process.threads().before(),
                        process.threads().after(),
                        process.files().before(),
                        process.files().after(),
                        process.heap().before() / 1e6,
                        process.heap().after() / 1e6))));
        if (!lines.isEmpty()) {
            lines.addAll(
                    0,
                    List.of(
                            "| process | readings | threads | open files | heap after a collection |",
                            "|---|---:|---:|---:|---:|"));
            lines.add("");
        }
        return lines;
    }

    private static long writes(Verdict verdict, Outcome outcome) {
        return verdict.history().all(Entry.Write.class).stream()
                .filter(write -> write.outcome() == outcome)
                .count();
    }
}
