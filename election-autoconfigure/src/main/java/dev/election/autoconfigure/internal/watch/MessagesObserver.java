package dev.election.autoconfigure.internal.watch;

import dev.election.members.NodeMessages;

/** Receives the {@link NodeMessages} of an application that uses them. */
@FunctionalInterface
public interface MessagesObserver {

    /** Called once. */
    void observe(NodeMessages messages);
}
