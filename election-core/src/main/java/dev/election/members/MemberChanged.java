package dev.election.members;

/**
 * A member says something else of itself: another role, address or description.
 *
 * @param member the member now
 * @param before the member before
 */
public record MemberChanged(Member member, Member before) implements MemberEvent {}
