package dev.election.faults.bridge;

import dev.election.faults.checker.Belief;
import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the records of a fleet say.
 *
 * @param pace of the fleet
 * @param answers how many were recorded
 * @param twoMasters each time that two nodes were master at once
 * @param doubledRuns each slot of the job that two nodes ran
 * @param gaps without a master
 * @param changes how many times another node became master
 * @param stalls of the machine
 */
record Verdict(
        Pace pace,
        int answers,
        List<TwoMasters> twoMasters,
        List<DoubledRun> doubledRuns,
        List<Gap> gaps,
        int changes,
        Stalls stalls) {

    static Verdict of(Pace pace, History history) {
        List<Belief> masteries = Masteries.in(history);
        return new Verdict(
                pace,
                history.all(Entry.Answer.class).size(),
                TwoMasters.in(masteries, history.all(Entry.Registered.class), pace),
                DoubledRun.in(history.all(Entry.Ran.class)),
                Gap.between(masteries, history),
                changes(masteries),
                new Stalls(history));
    }

    /** Stated, and bounded: one after each late write, also where it was found in pieces because somebody was silent in between. */
    List<TwoMasters> windows() {
        Map<Entry.Registered, TwoMasters> byWrite = new LinkedHashMap<>();
        for (TwoMasters two : twoMasters) {
            if (two.isStatedWindow(pace, stalls)) {
                byWrite.merge(two.lateWrite().orElseThrow(), two, TwoMasters::upTo);
            }
        }
        return List.copyOf(byWrite.values());
    }

    /** All others. */
    List<TwoMasters> unexplained() {
        return twoMasters.stream()
                .filter(two -> !two.isStatedWindow(pace, stalls))
                .toList();
    }

    /** Runs of a slot by two nodes while both were master. */
    List<DoubledRun> runsByTwoMasters() {
        return doubledRuns.stream().filter(run -> !run.isAtAChange(twoMasters)).toList();
    }

    /** Whatever should not have happened. */
    List<String> violations() {
        return Stream.concat(
                        unexplained().stream().map(TwoMasters::toString),
                        gaps.stream()
                                .filter(gap ->
                                        gap.countedNanos() > pace.longestGap().toNanos())
                                .map(Gap::toString))
                .toList();
    }

    private static int changes(List<Belief> masteries) {
        int changes = 0;
        for (int i = 1; i < masteries.size(); i++) {
            if (!masteries.get(i).node().equals(masteries.get(i - 1).node())) {
                changes++;
            }
        }
        return changes;
    }
}
