package dev.election.faults.history;

import java.util.List;
import java.util.Set;

/** One line of a history. Times are in nanoseconds of the machine's monotonic clock, which all its processes share. */
public sealed interface Entry {

    /**
     * The first entry: the subject of the run.
     *
     * @param name of the group of nodes
     * @param topology what kind of store
     * @param leaseMillis their lease
     * @param seed of the plan
     * @param at when it was written
     */
    public record Begun(String name, String topology, long leaseMillis, long seed, long at) implements Entry {}

    /** The process takes part from now on. */
    record Joined(String node, long at) implements Entry {}

    /** The process knows for the first time who leads: it has seen a token. */
    record Informed(String node, long at) implements Entry {}

    /**
     * The answer to {@code isLeader()}: the first of each kind, the last before it changes, and some between.
     *
     * @param token of the leadership, 0 if there is none
     * @param askedAt just before the question
     * @param answeredAt just after the answer
     */
    record Answer(String node, boolean leads, long token, long askedAt, long answeredAt) implements Entry {}

    /** The {@link Answer} in another election of that process. */
    record Elsewhere(String election, String node, boolean leads, long token, long askedAt, long answeredAt)
            implements Entry {}

    /**
     * A write of leader work to a resource that compares tokens.
     *
     * @param sequence how many writes the resource had accepted, this one included; 0 if it did not accept it
     */
    record Write(String node, String resource, long token, Outcome outcome, long sequence, long sentAt, long answeredAt)
            implements Entry {
        public enum Outcome {
            APPLIED,
            REFUSED,
            UNKNOWN
        }
    }

    /** The process sees these members, which are others than before. */
    record Sees(String node, List<String> members, long at) implements Entry {}

    /** A thread that wanted to run did not, for that time. */
    record Stalled(String node, long from, long until) implements Entry {}

    /** Resources that the process uses. */
    record Used(String node, int threads, long files, long heapBytes, long at) implements Entry {}

    /** The process is gone. */
    record Ended(String node, long at) implements Entry {}

    /**
     * A fault was injected.
     *
     * @param number of the fault
     * @param episode faults of one episode overlap in time
     * @param fault what it is
     * @param target whom it was meant for
     * @param nodes the processes that it hit
     * @param consequences what it may lead to
     * @param elsewhere the same in another election of the nodes, of which any of them may be the leader
     * @param from just before
     * @param until when it was in effect
     */
    record Injected(
            int number,
            int episode,
            String fault,
            String target,
            List<String> nodes,
            Set<Consequence> consequences,
            Set<Consequence> elsewhere,
            long from,
            long until)
            implements Entry {

        /** The fault as it affects another election of the nodes. */
        Injected inOthers() {
            return new Injected(number, episode, fault, target, nodes, elsewhere, elsewhere, from, until);
        }
    }

    /** The fault is over. */
    record Healed(int number, long at) implements Entry {}

    /** No more faults: from now on each living process is asked to lead once. */
    record Mustered(List<String> nodes, long at) implements Entry {}

    /**
     * A job of which each time slot belongs to the master was run.
     *
     * @param slot number of the slot
     * @param askedAt just before the question whether this node is master
     * @param answeredAt just after the answer that it is
     */
    record Ran(String node, long slot, long askedAt, long answeredAt) implements Entry {}

    /**
     * A node of the replaced system wrote itself into the master's key.
     *
     * @param readAt when it had found that the key has no master
     * @param sentAt just before it wrote
     * @param writtenAt just after
     */
    record Registered(String node, long readAt, long sentAt, long writtenAt) implements Entry {}

    /**
     * The master's key of the replaced system was seen from outside.
     *
     * @param value of the key, empty if there was none
     */
    record KeySeen(String value, long at) implements Entry {}

    /** The run is over. */
    record Over(long at) implements Entry {}
}
