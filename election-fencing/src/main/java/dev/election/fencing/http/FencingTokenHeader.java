package dev.election.fencing.http;

import dev.election.FencingToken;
import org.jspecify.annotations.Nullable;

/** The header in which the token of a leader travels. */
public final class FencingTokenHeader {

    /** The name of the header. */
    public static final String NAME = "Fencing-Token";

    /** Number of digits of the largest token. */
    private static final int DIGITS = 16;

    private FencingTokenHeader() {}

    /** The token of a value, {@code null} if it is none. */
    static @Nullable FencingToken parse(String value) {
        if (value.isEmpty() || value.length() > DIGITS || !value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return null;
        }
        try {
            return new FencingToken(Long.parseLong(value));
        } catch (IllegalArgumentException outOfRange) {
            return null;
        }
    }
}
