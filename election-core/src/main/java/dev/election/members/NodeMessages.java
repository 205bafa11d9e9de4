package dev.election.members;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Sends small texts to other members, and handles those that come. A message reaches those members that are there and handle its type, once at
 * most: it is lost where a member or the store is away. No call waits for the store.
 *
 * <p>Messages of one member are handled in the order in which it sent them. A member's name is no authentication: whoever may publish in the store
 * can send messages in any member's name.
 */
public interface NodeMessages {

    /** The highest number of bytes of a message in UTF-8, its type and its sender included. */
    int MOST_BYTES = 16_384;

    /**
     * Sends a message. The outcome does not say whether anybody has received it; the stage never completes exceptionally.
     *
     * @param to the recipient
     * @param type 1 to 64 of A-Z a-z 0-9 . _ : -
     * @param body the text of the message, such as JSON
     * @throws IllegalArgumentException if the type is no such name, or the message is too large
     */
    CompletionStage<SendOutcome> send(Recipient to, String type, String body);

    /**
     * Sends a message and waits for the reply of the other member's handler. The first question opens the connection on which replies come.
     * Without a reply the handler may have run all the same. The stage never completes exceptionally.
     *
     * @param to the recipient
     * @param type the type, as for {@link #send}
     * @param body the text of the message, such as JSON
     * @param timeout how long the reply is waited for, a day at most
     * @throws IllegalArgumentException if the type is no name, the message is too large, or the time is not positive or longer than a day
     */
    CompletionStage<AskReply> ask(Recipient.One to, String type, String body, Duration timeout);

    /**
     * Handles the messages of a type from here on. The first handler opens the connection on which messages come. Up to four messages of a type are
     * handled at a time, those of different members.
     *
     * @param type the type, as for {@link #send}
     * @throws IllegalArgumentException if the type is no name
     * @throws IllegalStateException if this process has a handler of that type already
     */
    Registration handle(String type, MessageHandler handler);

    /** The number of messages with that outcome since the start of this process. */
    long count(MessageCount what);

    /** A handler, until it is closed. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
