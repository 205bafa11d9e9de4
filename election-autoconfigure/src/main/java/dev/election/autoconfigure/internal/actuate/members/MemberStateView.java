package dev.election.autoconfigure.internal.actuate.members;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The result of an order to a member, as the endpoint shows it.
 *
 * @param id the id of the node
 * @param state what was ordered
 * @param detail what that means, in a sentence
 */
public record MemberStateView(String id, MemberState state, String detail) implements OperationResponseBody {}
