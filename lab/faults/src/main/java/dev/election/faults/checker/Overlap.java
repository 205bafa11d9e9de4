package dev.election.faults.checker;

import dev.election.faults.history.Consequence;
import dev.election.faults.history.History;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Two processes believed to lead at once.
 *
 * @param older that had the lower token
 * @param newer that had the higher
 * @param from when it began
 * @param nanos how long it certainly lasted
 * @param beyondALease whether the faults of that time are of a kind against which no lease helps
 */
public record Overlap(Belief older, Belief newer, long from, long nanos, boolean beyondALease) {

    private static final Set<Consequence> ALL_FORGOTTEN =
            EnumSet.of(Consequence.FORGETFUL_STORE, Consequence.UNREACHABLE_LEADER, Consequence.FRESH_NODE);

    static List<Overlap> in(History history, List<Belief> beliefs, List<Episode> episodes) {
        long lease = history.about().leaseMillis() * 1_000_000;
        long aftermath = 2 * lease;
        List<Overlap> overlaps = new ArrayList<>();
        for (int i = 0; i < beliefs.size(); i++) {
            Belief one = beliefs.get(i);
            for (int j = i + 1; j < beliefs.size() && beliefs.get(j).from() <= one.until(); j++) {
                Belief other = beliefs.get(j);
                long shared = one.sharedWith(other);
                if (shared > 0 && !one.node().equals(other.node())) {
                    long from = Math.max(one.from(), other.from());
                    boolean isKnownLimit = episodes.stream()
                            .filter(episode -> episode.begin() <= from && from <= episode.healed() + aftermath)
                            .anyMatch(episode -> isBeyondALease(episode, shared <= lease));
                    overlaps.add(
                            one.token() < other.token()
                                    ? new Overlap(one, other, from, shared, isKnownLimit)
                                    : new Overlap(other, one, from, shared, isKnownLimit));
                }
            }
        }
        return overlaps;
    }

    /** Each but one of these limits ends with the lease of the leader that was there before. */
    private static boolean isBeyondALease(Episode episode, boolean endsWithLease) {
        Set<Consequence> all = episode.consequences();
        return all.contains(Consequence.TWO_PRIMARIES)
                || (endsWithLease && (all.contains(Consequence.OLD_RECORD) || all.containsAll(ALL_FORGOTTEN)));
    }
}
