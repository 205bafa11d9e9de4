package dev.election.internal.engine;

import java.time.Duration;

/**
 * How a process takes leadership over.
 *
 * @param recoverAtMost how long each recovery may take
 * @param givesUp whether it gives leadership up if a listener to {@code Acquired} throws
 */
public record TakeOver(Duration recoverAtMost, boolean givesUp) {

    /** Unless said. */
    public static final TakeOver DEFAULT = new TakeOver(Duration.ofMinutes(1), false);
}
