package dev.election.autoconfigure.internal.actuate.members;

import dev.election.members.Members;
import dev.election.support.ReadableDuration;

/**
 * How far the list of members can be relied on, as the endpoint shows it.
 *
 * @param complete whether the store has told all members since this process started
 * @param age how long ago the store confirmed the list
 * @param storeReachable whether the store answered the latest heartbeat
 */
public record MembersCopyView(boolean complete, String age, boolean storeReachable) {

    public static MembersCopyView of(Members.MembersView view) {
        return new MembersCopyView(view.isComplete(), ReadableDuration.of(view.age()), view.isStoreReachable());
    }
}
