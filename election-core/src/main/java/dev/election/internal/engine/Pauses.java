package dev.election.internal.engine;

import dev.election.FencingToken;
import dev.election.internal.steering.Doubling;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a node does not campaign after it has given leadership up: a lease, and twice as long each further time, up to an hour. After it
 * has led for an hour it begins anew.
 */
final class Pauses {

    private final Duration first;
    private int doublings;
    private @Nullable FencingToken latest;
    private Duration pause = Duration.ZERO;

    Pauses(Duration first) {
        this.first = first;
    }

    /** The one after that leadership, which has lasted for so long. The same for each reason to give it up. */
    Duration after(FencingToken token, Duration led) {
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
