package dev.election.faults.report;

import dev.election.faults.checker.Belief;
import dev.election.faults.checker.Episode;
import dev.election.faults.checker.Gap;
import dev.election.faults.checker.Overlap;
import dev.election.faults.checker.Verdict;
import dev.election.faults.history.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.LongStream;

/** The outcome of each episode of a run, and of all together, in Markdown. */
public final class Rounds {

    private final Verdict verdict;
    private final List<Round> rounds;

    private Rounds(Verdict verdict, List<Round> rounds) {
        this.verdict = verdict;
        this.rounds = List.copyOf(rounds);
    }

    public static Rounds of(Verdict verdict) {
        List<Round> rounds = new ArrayList<>();
        List<Episode> episodes = verdict.episodes();
        for (int i = 0; i < episodes.size(); i++) {
            long begin = episodes.get(i).begin();
            long end = i + 1 < episodes.size() ? episodes.get(i + 1).begin() : endOf(verdict);
            rounds.add(Round.between(begin, end, verdict));
        }
        return new Rounds(verdict, rounds);
    }

    public String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("| round | two led | for at most | without leader, longest | leader before | after |");
        lines.add("|---:|---:|---:|---:|---|---|");
        for (int i = 0; i < rounds.size(); i++) {
            lines.add("| " + (i + 1) + rounds.get(i).line());
        }
        lines.add("");
        lines.add(total());
        verdict.violations().forEach(violation -> lines.add("- VIOLATION: " + violation));
        return String.join("\n", lines) + "\n";
    }

    private String total() {
        long doubled = rounds.stream().filter(round -> round.doubled() > 0).count();
        long kept = rounds.stream().filter(Round::isKept).count();
        return String.format(
                Locale.ROOT,
                "%s, %d rounds: two led in %d, for %s at most; without a leader in %d, for %s at most; leader and token"
                        + " stayed in %d; machine stood still for %.1f s; violations: %d",
                verdict.history().about().name(),
                rounds.size(),
                doubled,
                millis(longest(rounds.stream().mapToLong(Round::doubled))),
                rounds.stream().filter(round -> round.leaderless() > 0).count(),
                millis(longest(rounds.stream().mapToLong(Round::leaderless))),
                kept,
                verdict.stalledNanos() / 1e9,
                verdict.violations().size());
    }

    /** After the last round every node is asked to lead in turn, which is no part of it. */
    private static long endOf(Verdict verdict) {
        return verdict.history().all(Entry.Mustered.class).stream()
                .mapToLong(Entry.Mustered::at)
                .findFirst()
                .orElse(verdict.history().end());
    }

    private static long longest(LongStream times) {
        return times.max().orElse(0);
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%,d ms", Math.round(nanos / 1e6));
    }

    /**
     * One of them.
     *
     * @param doubled for how long two led, at most
     * @param leaderless for how long nobody did, at most
     * @param before who led when it began
     * @param after who did at its end
     */
    private record Round(long doubled, long leaderless, Optional<Belief> before, Optional<Belief> after) {

        static Round between(long begin, long end, Verdict verdict) {
            return new Round(
                    longest(verdict.overlaps().stream()
                            .filter(overlap -> begin <= overlap.from() && overlap.from() < end)
                            .mapToLong(Overlap::nanos)),
                    longest(verdict.gaps().stream()
                            .filter(gap -> begin <= gap.until() && gap.from() < end)
                            .mapToLong(Gap::nanos)),
                    latest(begin, verdict),
                    latest(end, verdict));
        }

        boolean isKept() {
            return before.isPresent() && after.isPresent() && name(before).equals(name(after));
        }

        String line() {
            return String.format(
                    Locale.ROOT,
                    " | %s | %s | %s | %s | %s |",
                    doubled > 0 ? "yes" : "no",
                    millis(doubled),
                    millis(leaderless),
                    name(before),
                    isKept() ? "the same" : name(after));
        }

        private static Optional<Belief> latest(long time, Verdict verdict) {
            return verdict.beliefs().stream()
                    .filter(belief -> belief.from() <= time)
                    .max(Comparator.comparingLong(Belief::until));
        }

        private static String name(Optional<Belief> belief) {
            return belief.map(known -> known.node() + " token " + known.token()).orElse("nobody");
        }
    }
}
