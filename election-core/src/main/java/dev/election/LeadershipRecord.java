package dev.election;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One leadership of an election, from its grant to its end.
 *
 * @param leader who led, since when and with which token
 * @param until when it ended by the clock of the store, {@code null} while it lasts; of a leader that died it is when its lease
 *     ended
 * @param reason why it ended, {@code null} while it lasts
 */
public record LeadershipRecord(Leader leader, @Nullable Instant until, @Nullable LossReason reason) {}
