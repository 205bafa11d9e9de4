package dev.election.members;

/**
 * A member has changed its own description, such as its role or address.
 *
 * @param member the member now
 * @param before the member before
 */
public record MemberChanged(Member member, Member before) implements MemberEvent {}
