package dev.election.faults.checker;

import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import java.util.ArrayList;
import java.util.List;

/** Judges a history. Asks nobody: a history that was written by hand is as good. */
public final class Checker {

    private Checker() {}

    public static Verdict judge(History history) {
        List<Belief> beliefs = Belief.of(history);
        List<Episode> episodes = Episode.of(history, beliefs);
        List<Overlap> overlaps = Overlap.in(history, beliefs, episodes);
        List<Gap> gaps = Gap.between(beliefs, history);
        List<Growth> growth = Growth.of(history);

        List<Violation> violations = new ArrayList<>();
        overlaps.stream()
                .filter(overlap -> !overlap.beyondALease())
                .map(Violation.TwoLeaders::new)
                .forEach(violations::add);
        violations.addAll(Tokens.notRising(beliefs));
        violations.addAll(Tokens.brokenFences(history));
        Stalls stalls = new Stalls(history);
        Windows windows = new Windows(history, episodes, stalls);
        gaps.stream()
                .filter(gap -> windows.excess(gap) > 0)
                .map(gap -> new Violation.NoLeader(gap, windows.excess(gap)))
                .forEach(violations::add);
        violations.addAll(stuck(history, beliefs));
        violations.addAll(Rosters.wrong(history, stalls));
        growth.forEach(process -> violations.addAll(process.violations()));
        return new Verdict(history, beliefs, episodes, overlaps, gaps, stalls.total(), growth, List.copyOf(violations));
    }

    /** Finds the nodes that did not lead when each was asked to at the end; the whole group if they never were. */
    private static List<Violation> stuck(History history, List<Belief> beliefs) {
        List<Entry.Mustered> musters = history.all(Entry.Mustered.class);
        if (history.isCutOff()) {
            return List.of(new Violation.CutOff());
        }
        if (musters.isEmpty()) {
            return List.of(new Violation.Stuck("the whole group"));
        }
        Entry.Mustered muster = musters.get(0);
        return muster.nodes().stream()
                .filter(node -> beliefs.stream()
                        .noneMatch(belief -> belief.node().equals(node) && belief.until() >= muster.at()))
                .<Violation>map(Violation.Stuck::new)
                .toList();
    }
}
