package dev.election.autoconfigure.internal.watch;

import dev.election.members.NodeMessages;

/** Is told of the messages between members where an application uses them. */
@FunctionalInterface
public interface MessagesObserver {

    /** Called once. */
    void observe(NodeMessages messages);
}
