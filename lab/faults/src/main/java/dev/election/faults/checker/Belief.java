package dev.election.faults.checker;

import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A time in which a process answered each time that it leads, by one token.
 *
 * @param first its first answer
 * @param last its last answer
 */
public record Belief(Entry.Answer first, Entry.Answer last) {

    /** Extracts the beliefs of a history, in the order of their begin. */
    static List<Belief> of(History history) {
        return of(history.all(Entry.Answer.class), Long.MAX_VALUE);
    }

    /**
     * Extracts the beliefs from answers of several processes, in the order of their begin.
     *
     * @param answers in the order of each process
     * @param longestSilence a longer time between two answers, in nanoseconds, tells nothing of what lies between
     */
    public static List<Belief> of(List<Entry.Answer> answers, long longestSilence) {
        Map<String, Belief> open = new HashMap<>();
        List<Belief> all = new ArrayList<>();
        for (Entry.Answer answer : answers) {
            Belief known = open.remove(answer.node());
            if (known != null && known.goesOn(answer, longestSilence)) {
                open.put(answer.node(), new Belief(known.first, answer));
                continue;
            }
            if (known != null) {
                all.add(known);
            }
            if (answer.leads()) {
                open.put(answer.node(), new Belief(answer, answer));
            }
        }
        all.addAll(open.values());
        all.sort(Comparator.comparingLong(Belief::from));
        return all;
    }

    private boolean goesOn(Entry.Answer answer, long longestSilence) {
        return answer.leads() && answer.token() == token() && answer.askedAt() - last.answeredAt() <= longestSilence;
    }

    public String node() {
        return first.node();
    }

    public long token() {
        return first.token();
    }

    /** The first moment at which it may have begun. */
    public long from() {
        return first.askedAt();
    }

    /** The last moment at which it may have been asked about. */
    public long until() {
        return last.answeredAt();
    }

    /** Whether every moment at which this may have held is one at which the other certainly did. */
    public boolean liesWithin(Belief other) {
        return first.askedAt() > other.first.answeredAt() && last.answeredAt() < other.last.askedAt();
    }

    /** How long both certainly held: an answer may have been given at either end of the time that it took. */
    long sharedWith(Belief other) {
        return Math.min(last.askedAt(), other.last.askedAt()) - Math.max(first.answeredAt(), other.first.answeredAt());
    }
}
