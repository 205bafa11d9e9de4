package dev.election.autoconfigure.internal.actuate.elections;

import dev.election.members.Successor;

/**
 * A place in the order of succession, as the endpoint shows it.
 *
 * @param node the id of the node
 * @param eligible whether it leads when its turn comes
 * @param reason why it has this place
 */
record SuccessorView(String node, boolean eligible, String reason) {

    static SuccessorView of(Successor successor) {
        return new SuccessorView(successor.member().id(), successor.isEligible(), successor.reason());
    }
}
