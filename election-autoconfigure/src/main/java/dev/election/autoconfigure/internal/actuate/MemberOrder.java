package dev.election.autoconfigure.internal.actuate;

import org.jspecify.annotations.Nullable;

/**
 * An order to a member, as text: an invalid one is answered with a message.
 *
 * @param state what is ordered, as {@link MemberState} reads it
 * @param reason why, for the log and the history
 * @param evenIfAbsent whether the node need not be a member at present
 */
record MemberOrder(@Nullable String state, @Nullable String reason, @Nullable String evenIfAbsent) {

    MemberState wanted() {
        return MemberState.of(state);
    }

    boolean isForAbsentNode() {
        return AbdicationParameters.flag("evenIfAbsent", evenIfAbsent);
    }

    /** The requester with the reason, as one text. */
    String by(String requester) {
        return Reason.of(requester, reason);
    }
}
