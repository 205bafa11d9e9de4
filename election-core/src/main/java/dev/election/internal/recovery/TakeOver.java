package dev.election.internal.recovery;

import java.time.Duration;

/**
 * Settings for the beginning of a leadership.
 *
 * @param recoverAtMost the longest time for each recovery
 * @param givesUp whether the node gives leadership up if a listener to {@code Acquired} throws
 */
public record TakeOver(Duration recoverAtMost, boolean givesUp) {

    public static final TakeOver DEFAULT = new TakeOver(Duration.ofMinutes(1), false);
}
