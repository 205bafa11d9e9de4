package dev.election.faults.checker;

import java.util.List;
import java.util.Locale;

/** A promise that did not hold. */
public sealed interface Violation {

    /** Two led at once, and the faults do not explain it. */
    record TwoLeaders(Overlap overlap) implements Violation {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s (token %d) and %s (token %d) both led for %.1f ms at %d",
                    overlap.older().node(),
                    overlap.older().token(),
                    overlap.newer().node(),
                    overlap.newer().token(),
                    overlap.nanos() / 1e6,
                    overlap.from());
        }
    }

    /** A leadership began with a token that is not greater than one before it. */
    record TokenNotRising(Belief belief, long highestBefore) implements Violation {
        @Override
        public String toString() {
            return belief.node() + " led with token " + belief.token() + " after " + highestBefore + " at "
                    + belief.from();
        }
    }

    /** A resource accepted an older token after a newer one, or counted wrongly. */
    record FenceBroken(String resource, long sequence, String what) implements Violation {}

    /** Nobody led for longer than the design allows. */
    record NoLeader(Gap gap, long excess) implements Violation {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "nobody led for %.1f ms from %d, %.1f ms longer than allowed",
                    gap.nanos() / 1e6,
                    gap.from(),
                    excess / 1e6);
        }
    }

    /** A node did not lead when it was its turn at the end. */
    record Stuck(String node) implements Violation {}

    /** When nothing had happened for long enough, a node did not see the members that were there, or only later. */
    record WrongRoster(String node, List<String> seen, List<String> living, long excess) implements Violation {}

    /** The run did not come to its end, so that nobody knows whether a node was stuck. */
    record CutOff() implements Violation {}

    /** A process uses more and more. */
    record Growing(String node, String what, long before, long after) implements Violation {}
}
