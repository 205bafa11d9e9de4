package dev.election.support;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A problem that several subjects have at a time, such as the elections of a process. It is worth a log line for the first of them, and one when the
 * last of them has it no more. Thread-safe.
 */
public final class SharedProblem {

    /** The subjects that have it. Guarded by this, as are those below. */
    private final Set<String> present = new HashSet<>();

    /** The subjects for which it was solved while others had it, the latest last. */
    private final List<String> solved = new ArrayList<>();

    /** Records that a subject has the problem. Returns whether no other had it, so that it is logged. */
    public synchronized boolean begins(String subject) {
        if (present.isEmpty()) {
            solved.clear();
        }
        return present.add(subject) && present.size() == 1;
    }

    /**
     * Records that a subject has the problem no more.
     *
     * @param isSolved whether it was solved; if not, it only counts no longer for that subject
     * @return if no other subject has the problem, those for which it was solved, the latest last; empty otherwise
     */
    public synchronized List<String> ends(String subject, boolean isSolved) {
        if (!present.remove(subject)) {
            return List.of();
        }
        solved.remove(subject);
        if (isSolved) {
            solved.add(subject);
        }
        return present.isEmpty() ? List.copyOf(solved) : List.of();
    }

    /** Whether any subject has the problem. */
    public synchronized boolean isPresent() {
        return !present.isEmpty();
    }
}
