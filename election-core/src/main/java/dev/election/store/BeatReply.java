package dev.election.store;

import java.util.List;

/** The reply to a beat. */
public sealed interface BeatReply permits BeatReply.Beaten, NoAnswer {

    /**
     * The instance is registered.
     *
     * @param version the version of the reader's copy once it has taken the changes
     * @param isAll whether the changes begin from nothing: members that the reader has from before, and that are not among them, are gone
     * @param hasMore whether the store has further changes, which the next request gets
     * @param changes in the order of their versions
     */
    record Beaten(RosterVersion version, boolean isAll, boolean hasMore, List<MemberEntry> changes)
            implements BeatReply {}
}
