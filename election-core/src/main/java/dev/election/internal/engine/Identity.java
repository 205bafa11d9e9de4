package dev.election.internal.engine;

import dev.election.NodeInfo;
import dev.election.internal.protocol.Self;
import dev.election.support.RandomId;

/**
 * Who this process is from one start of its elections to the next.
 *
 * @param node what it tells the others of itself
 * @param instance random, so that two processes with one node id are told apart
 */
record Identity(NodeInfo node, String instance) {

    /** One that no other process has, even if both were started from the same process image. */
    static Identity drawn(NodeInfo node) {
        return new Identity(node, RandomId.ofBytes(12));
    }

    /** The same in one election. */
    Self in(String election) {
        return new Self(election, node, instance);
    }
}
