package dev.election;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One leadership of an election, from its grant to its end.
 *
 * @param leader who led, since when and with which token
 * @param until when it ended by the clock of the store, {@code null} while it lasts; for a crashed leader the end of its lease
 * @param reason why it ended, {@code null} while it lasts
 * @param requestedBy who asked the leader to give up, or had it evicted; {@code null} if nobody did
 */
public record LeadershipRecord(
        Leader leader, @Nullable Instant until, @Nullable LossReason reason, @Nullable String requestedBy) {

    /** Creates the record of a leadership that nobody asked to end. */
    public LeadershipRecord(Leader leader, @Nullable Instant until, @Nullable LossReason reason) {
        this(leader, until, reason, null);
    }
}
