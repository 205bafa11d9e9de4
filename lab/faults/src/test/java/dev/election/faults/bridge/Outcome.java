package dev.election.faults.bridge;

import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * What came of a run.
 *
 * @param run that was played
 * @param seed of its choices
 * @param takeOvers how many dead masters were replaced on request
 * @param deleted what the key held when it had to be deleted by hand
 * @param verdict on what was recorded
 */
public record Outcome(Run run, long seed, int takeOvers, List<String> deleted, Verdict verdict) {

    /** The runs of each kind in a line, in Markdown. */
    static String table(List<Outcome> outcomes) {
        StringBuilder table = new StringBuilder(
                """
                | run | rounds | answers | changes of master | two masters | stated windows | longest, median \
                | job run twice by two masters | at a change | without a master, longest | of it counted, longest | taken over \
                | deleted by hand | violations |
                |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
                """);
        for (Run run : Run.values()) {
            List<Outcome> all =
                    outcomes.stream().filter(outcome -> outcome.run == run).toList();
            if (!all.isEmpty()) {
                table.append(line(run, all));
            }
        }
        outcomes.forEach(outcome -> outcome.verdict.violations().stream()
                .limit(3)
                .forEach(violation -> table.append(String.format(
                        Locale.ROOT, "- %s, seed %d: %s%n", outcome.run.title(), outcome.seed, violation))));
        outcomes.stream()
                .filter(outcome -> !outcome.deleted.isEmpty())
                .forEach(outcome -> table.append(String.format(
                        Locale.ROOT,
                        "- %s, seed %d: deleted by hand %s%n",
                        outcome.run.title(),
                        outcome.seed,
                        outcome.deleted)));
        return table.toString();
    }

    private static String line(Run run, List<Outcome> all) {
        List<Verdict> verdicts = all.stream().map(Outcome::verdict).toList();
        List<TwoMasters> windows =
                verdicts.stream().flatMap(verdict -> verdict.windows().stream()).toList();
        long two = verdicts.stream()
                .mapToLong(verdict -> verdict.unexplained().size())
                .sum();
        long twice = verdicts.stream()
                .mapToLong(verdict -> verdict.runsByTwoMasters().size())
                .sum();
        long doubled = verdicts.stream()
                .mapToLong(verdict -> verdict.doubledRuns().size())
                .sum();
        return String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d | %d | %d | %s | %d | %d | %s | %s | %d | %d | %d |%n",
                run.title(),
                all.size(),
                verdicts.stream().mapToInt(Verdict::answers).sum(),
                verdicts.stream().mapToInt(Verdict::changes).sum(),
                two,
                windows.size(),
                windows.isEmpty() ? "" : spread(windows.stream().mapToLong(TwoMasters::nanos)),
                twice,
                doubled - twice,
                seconds(verdicts.stream()
                        .flatMap(verdict -> verdict.gaps().stream())
                        .mapToLong(Gap::nanos)
                        .max()
                        .orElse(0)),
                seconds(verdicts.stream()
                        .flatMap(verdict -> verdict.gaps().stream())
                        .mapToLong(Gap::countedNanos)
                        .max()
                        .orElse(0)),
                all.stream().mapToInt(Outcome::takeOvers).sum(),
                all.stream().mapToInt(outcome -> outcome.deleted.size()).sum(),
                verdicts.stream()
                        .mapToInt(verdict -> verdict.violations().size())
                        .sum());
    }

    private static String spread(LongStream nanos) {
        long[] sorted = nanos.sorted().toArray();
        return seconds(sorted[sorted.length - 1]) + ", " + seconds(sorted[sorted.length / 2]);
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
    }
}
