package dev.election;

import java.util.Optional;

/**
 * A number that grows with every grant of leadership, for ever. Write it beside the data that a leader changes and refuse
 * writes that carry a smaller one: then even a leader that was paused past its lease can't harm what its successor wrote.
 *
 * @param value the number; positive and below 2<sup>53</sup>, so that every client and database holds it exactly
 */
public record FencingToken(long value) implements Comparable<FencingToken> {

    private static final long LIMIT = 1L << 53;

    public FencingToken {
        if (value <= 0 || value >= LIMIT) {
            throw new IllegalArgumentException("A fencing token lies between 1 and 2^53, but this one is " + value);
        }
    }

    /** The token of the leader work that runs on this thread, empty if none does. */
    public static Optional<FencingToken> current() {
        return CurrentWork.get().token();
    }

    /** Whether this token was granted after the other one. */
    public boolean isNewerThan(FencingToken other) {
        return value > other.value;
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
