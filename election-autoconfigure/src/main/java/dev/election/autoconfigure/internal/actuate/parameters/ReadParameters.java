package dev.election.autoconfigure.internal.actuate.parameters;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request that reads the store, as text: an invalid one is answered with a message.
 *
 * @param maxAge how old the answer may be, as {@code 1s}; {@code null} for a read of its own
 * @param knownHistory the version of the history that the caller has, which is not sent again
 */
public record ReadParameters(@Nullable String maxAge, @Nullable String knownHistory) {

    /** The parameters of a read that is not shared and returns everything. */
    public static final ReadParameters NONE = new ReadParameters(null, null);

    /** Throws an {@link IllegalArgumentException} with the reason if the text is invalid. */
    public Duration age() {
        return maxAge == null ? Duration.ZERO : DurationParameter.parse("maxAge", maxAge, "1m");
    }
}
