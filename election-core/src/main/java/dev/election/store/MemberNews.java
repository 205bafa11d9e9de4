package dev.election.store;

/** News of the members. */
public sealed interface MemberNews {

    /**
     * A member has joined, changed or left.
     *
     * @param roster the list of members
     * @param entry the change
     */
    record Changed(String roster, MemberEntry entry) implements MemberNews {}

    /** The store can be reached again after it could not, or for the first time: earlier news may be lost. */
    record Connected() implements MemberNews {}
}
