package dev.election.members;

/**
 * A change of the copy that this process has of the members. Events may come late, and several changes between two replies of the store are one.
 */
public sealed interface MemberEvent permits MemberJoined, MemberChanged, MemberLeft {

    /** The member as it is now, or was when it left. */
    Member member();
}
