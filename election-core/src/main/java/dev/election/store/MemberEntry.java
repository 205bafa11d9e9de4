package dev.election.store;

import dev.election.members.LeaveReason;

/** The latest change of a member. */
public sealed interface MemberEntry {

    /** The member. */
    String instance();

    /** The number of the change, 0 in a store that does not count changes. */
    long number();

    /**
     * The member is there.
     *
     * @param joined a number that is higher for members that joined later
     * @param text what it says of itself
     */
    record Present(String instance, long number, long joined, String text) implements MemberEntry {}

    /**
     * The member is not there any more.
     *
     * @param reason why
     */
    record Gone(String instance, long number, LeaveReason reason) implements MemberEntry {}
}
