package dev.election.internal.election;

import dev.election.NodeInfo;
import dev.election.internal.protocol.Self;
import dev.election.support.RandomId;

/**
 * Identity of this process from one start of its elections to the next.
 *
 * @param node the description of this node for others
 * @param instance random, so that two processes with one node id are told apart
 */
public record Identity(NodeInfo node, String instance) {

    /** Draws an identity that no other process has, even if both were started from the same process image. */
    public static Identity drawn(NodeInfo node) {
        return new Identity(node, RandomId.ofBytes(12));
    }

    /** Returns this identity in one election. */
    public Self in(String election) {
        return new Self(election, node, instance);
    }
}
