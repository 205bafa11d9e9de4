package dev.election.internal.messages;

import dev.election.members.Member;

/**
 * A message or question for a handler of this process.
 *
 * @param message the message
 * @param from the sender
 */
record Delivery(WireMessage message, Member from) {

    String sender() {
        return from.instance();
    }

    String type() {
        return message.type();
    }
}
