package dev.election.faults.bridge;

import dev.election.faults.checker.Belief;
import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A time in which nobody was master.
 *
 * @param from when the last master was seen, or the first node joined
 * @param until when the next one was, or the run was over
 * @param countsFrom from when on somebody should have become master: before, no node could, or a dead one was
 * @param countedNanos how long it lasted from then on, while the machine ran
 */
record Gap(long from, long until, long countsFrom, long countedNanos) {

    /** Masteries must be in the order of their begin. */
    static List<Gap> between(List<Belief> masteries, History history) {
        long end = history.all(Entry.Over.class).get(0).at();
        Living living = new Living(history);
        List<Entry.KeySeen> keys = history.all(Entry.KeySeen.class);
        Stalls stalls = new Stalls(history);
        List<Gap> gaps = new ArrayList<>();
        long covered = living.begin();
        for (Belief mastery : masteries) {
            if (mastery.from() - covered > Masteries.LONGEST_SILENCE) {
                gaps.add(of(covered, mastery.from(), living, keys, stalls));
            }
            covered = Math.max(covered, mastery.until());
        }
        if (end - covered > Masteries.LONGEST_SILENCE) {
            gaps.add(of(covered, end, living, keys, stalls));
        }
        return gaps;
    }

    long nanos() {
        return until - from;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "nobody was master for %.1f s from %d, %.1f s of them although somebody could have been",
                nanos() / 1e9,
                from,
                countedNanos() / 1e9);
    }

    private static Gap of(long from, long until, Living living, List<Entry.KeySeen> keys, Stalls stalls) {
        long countsFrom = keys.stream()
                .filter(key -> from <= key.at() && key.at() <= until)
                .filter(key -> !living.canElect(key.value(), key.at()))
                .mapToLong(Entry.KeySeen::at)
                .max()
                .orElse(from);
        return new Gap(from, until, countsFrom, stalls.ran(countsFrom, until));
    }
}
