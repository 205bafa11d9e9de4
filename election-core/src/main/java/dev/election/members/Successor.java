package dev.election.members;

/**
 * A member in the order of succession of one election.
 *
 * @param member the member
 * @param isEligible whether it may lead when its turn comes
 * @param reason why it has this place
 */
public record Successor(Member member, boolean isEligible, String reason) {}
