package dev.election;

import java.util.Optional;

/**
 * A number that increases with every grant of leadership. Store it with the data that a leader changes, and reject writes with a smaller
 * one: then a leader that was paused beyond its lease can't overwrite the data of its successor. The token alone protects nothing.
 *
 * @param value the number; positive and below 2<sup>53</sup>, so that every client and database represents it exactly
 */
public record FencingToken(long value) implements Comparable<FencingToken> {

    private static final long LIMIT = 1L << 53;

    /** Throws an {@link IllegalArgumentException} for a number out of this range. */
    public FencingToken {
        if (value <= 0 || value >= LIMIT) {
            throw new IllegalArgumentException(
                    "A fencing token must be at least 1 and less than 2^53, but is " + value);
        }
    }

    /**
     * The token of the leader work of this thread, empty if it has none. Reactive code may run on any thread: there
     * {@code dev.election.spring.reactor.CurrentWorkContext} has it.
     */
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
