package dev.election.autoconfigure.internal.actuate.parameters;

import dev.election.autoconfigure.internal.actuate.members.MemberState;
import org.jspecify.annotations.Nullable;

/**
 * An order to a member, as text: an invalid one is answered with a message.
 *
 * @param state what is ordered, as {@link MemberState} reads it
 * @param reason why, for the log and the history
 * @param evenIfAbsent whether the node need not be a member at present
 */
public record MemberOrder(@Nullable String state, @Nullable String reason, @Nullable String evenIfAbsent) {

    public MemberState wanted() {
        return MemberState.of(state);
    }

    public boolean isForAbsentNode() {
        return AbdicationParameters.flag("evenIfAbsent", evenIfAbsent);
    }

    /** The requester with the reason, as one text. */
    public String by(String requester) {
        return Reason.of(requester, reason);
    }
}
