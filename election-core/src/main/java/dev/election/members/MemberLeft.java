package dev.election.members;

/**
 * A member is not there any more.
 *
 * @param member the member as it was
 * @param reason why
 */
public record MemberLeft(Member member, LeaveReason reason) implements MemberEvent {}
