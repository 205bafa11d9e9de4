package dev.election.members;

/**
 * A message from another member, or from this process.
 *
 * @param from who sent it, by what the message says: a name is no authentication
 * @param type what it is about
 * @param body of the message, such as JSON
 */
public record ReceivedMessage(Member from, String type, String body) {}
