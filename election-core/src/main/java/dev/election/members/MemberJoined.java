package dev.election.members;

/**
 * A member has joined, or is new in the copy of this process.
 *
 * @param member the member
 */
public record MemberJoined(Member member) implements MemberEvent {}
