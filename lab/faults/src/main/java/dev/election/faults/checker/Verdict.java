package dev.election.faults.checker;

import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import java.util.List;

/**
 * The verdict about one history: which promises held.
 *
 * @param history that was judged
 * @param beliefs who led when
 * @param episodes of faults
 * @param overlaps of all kinds
 * @param gaps without a leader
 * @param stalledNanos for how long the machine stood still, which is not held against anybody
 * @param growth of the processes that lived long enough
 * @param violations of what was promised
 */
public record Verdict(
        History history,
        List<Belief> beliefs,
        List<Episode> episodes,
        List<Overlap> overlaps,
        List<Gap> gaps,
        long stalledNanos,
        List<Growth> growth,
        List<Violation> violations) {

    /** How many leaderships ended in a process that was there to say so. */
    public long endedAlive() {
        return history.all(Entry.Answer.class).stream()
                .filter(answer -> !answer.leads())
                .count();
    }

    public boolean isClean() {
        return violations.isEmpty();
    }
}
