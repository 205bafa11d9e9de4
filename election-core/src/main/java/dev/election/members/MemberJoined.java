package dev.election.members;

/**
 * A member is there that was not in the copy before.
 *
 * @param member the member
 */
public record MemberJoined(Member member) implements MemberEvent {}
