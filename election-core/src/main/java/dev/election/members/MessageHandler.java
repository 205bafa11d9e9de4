package dev.election.members;

import org.jspecify.annotations.Nullable;

/**
 * Handles the messages of a type: one message of each sender at a time, in their order, and those of several senders at the same time. The
 * handler runs on a thread that delays no election, and may block. Four blocked handlers of a type hold up all further messages of that type,
 * and of their senders.
 */
@FunctionalInterface
public interface MessageHandler {

    /**
     * Handles a message.
     *
     * @return the reply if the sender waits for one; {@code null} is an empty reply
     * @throws Exception if the message can't be handled; a sender that waits gets {@link AskReply.Reason#HANDLER_FAILED}
     */
    @Nullable
    String handle(ReceivedMessage message) throws Exception;
}
