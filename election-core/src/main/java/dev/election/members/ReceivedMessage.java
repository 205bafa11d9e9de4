package dev.election.members;

/**
 * A message from another member, or from this process.
 *
 * @param from the sender, as the message names it: a name is no authentication
 * @param type the type of the message
 * @param body the text of the message, such as JSON
 */
public record ReceivedMessage(Member from, String type, String body) {}
