package dev.election.internal.messages;

import dev.election.members.Member;

/**
 * A message or question for a handler of this process.
 *
 * @param envelope the message
 * @param from who sent it
 */
public record Delivery(Envelope envelope, Member from) {

    String sender() {
        return from.instance();
    }

    String type() {
        return envelope.type();
    }
}
