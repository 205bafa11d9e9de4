package dev.election.internal.abdication;

import dev.election.FencingToken;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Pauses in which a node does not campaign after it has given leadership up: a lease, and twice as long each further time, up to an hour. A leadership of
 * an hour resets the pause to a lease.
 */
public final class Pauses {

    private final Duration first;
    private int doublings;
    private @Nullable FencingToken latest;
    private Duration pause = Duration.ZERO;

    public Pauses(Duration first) {
        this.first = first;
    }

    /** Returns the pause after a leadership that has lasted for that time. Several reasons to give up one leadership lengthen the pause only once. */
    public Duration after(FencingToken token, Duration led) {
        if (!token.equals(latest)) {
            latest = token;
            pause = next(led);
        }
        return pause;
    }

    private Duration next(Duration led) {
        if (led.compareTo(Doubling.LONGEST) >= 0) {
            doublings = 0;
        }
        return Doubling.of(first, doublings++);
    }
}
