package dev.election.faults.bridge;

import dev.election.faults.checker.Belief;
import dev.election.faults.history.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A node was master at a moment that lies between two answers of another that it is.
 *
 * @param one that became master first
 * @param other that did later
 * @param from when it began
 * @param until the last moment at which both certainly were
 * @param lateWrite what an old node wrote after it was inside its lock for longer than the lock lasts, if that is what led to it
 */
record TwoMasters(Belief one, Belief other, long from, long until, Optional<Entry.Registered> lateWrite) {

    /** Masteries must be in the order of their begin. */
    static List<TwoMasters> in(List<Belief> masteries, List<Entry.Registered> writes, Pace pace) {
        List<TwoMasters> found = new ArrayList<>();
        for (int i = 0; i < masteries.size(); i++) {
            Belief one = masteries.get(i);
            for (int j = i + 1; j < masteries.size() && masteries.get(j).from() <= one.until(); j++) {
                Belief other = masteries.get(j);
                long from = Math.max(one.first().answeredAt(), other.first().answeredAt());
                long until = Math.min(one.last().askedAt(), other.last().askedAt());
                boolean isWithin = other.liesWithin(one) || one.liesWithin(other);
                if (!one.node().equals(other.node()) && (until > from || isWithin)) {
                    found.add(new TwoMasters(
                            one, other, from, Math.max(from, until), lateWrite(one, other, from, writes, pace)));
                }
            }
        }
        return found;
    }

    long nanos() {
        return until - from;
    }

    /** Whether it is the window that the bridge states: after a late write, until the leader renews its mark. */
    boolean isStatedWindow(Pace pace, Stalls stalls) {
        return lateWrite
                .filter(write -> stalls.ran(write.writtenAt(), until)
                        <= pace.longestWindow().toNanos())
                .isPresent();
    }

    /** From the begin of this one to the end of a later one. */
    TwoMasters upTo(TwoMasters later) {
        return new TwoMasters(one, other, from, Math.max(until, later.until), lateWrite);
    }

    boolean isAbout(String node, String another) {
        return (one.node().equals(node) && other.node().equals(another))
                || (one.node().equals(another) && other.node().equals(node));
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s and %s were both master for %.1f ms at %d%s",
                one.node(),
                other.node(),
                nanos() / 1e6,
                from,
                lateWrite
                        .map(write -> String.format(
                                Locale.ROOT,
                                ", after %s had been inside its lock for %.1f s",
                                write.node(),
                                (write.sentAt() - write.readAt()) / 1e9))
                        .orElse(""));
    }

    private static Optional<Entry.Registered> lateWrite(
            Belief one, Belief other, long from, List<Entry.Registered> writes, Pace pace) {
        if (isOld(one) == isOld(other)) {
            return Optional.empty();
        }
        String old = isOld(one) ? one.node() : other.node();
        // The lock had been taken shortly before the key was read.
        long late = pace.lockLease().toNanos() * 9 / 10;
        return writes.stream()
                .filter(write -> write.node().equals(old)
                        && write.sentAt() - write.readAt() >= late
                        && write.sentAt() <= from
                        && from <= write.writtenAt() + pace.longestWindow().toNanos())
                .findFirst();
    }

    private static boolean isOld(Belief mastery) {
        return mastery.node().startsWith("old");
    }
}
