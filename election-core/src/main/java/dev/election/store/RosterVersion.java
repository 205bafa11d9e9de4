package dev.election.store;

/**
 * The version of a copy of the members.
 *
 * @param roster the id of the list of members; another one after the store has lost or restored its data
 * @param number the number of the latest change in the copy; rises with each change
 * @param begun the number of the list when the copy was begun: what left before that was never in it
 */
public record RosterVersion(String roster, long number, long begun) {

    /** The version of a reader without a copy. */
    public static final RosterVersion NONE = new RosterVersion("", 0, 0);
}
