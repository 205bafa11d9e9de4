package dev.election.autoconfigure.internal.actuate.parameters;

import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;

/** A duration that a request names. */
final class DurationParameter {

    private DurationParameter() {}

    /**
     * Reads it.
     *
     * @param longest the longest that is allowed, as a request would name it
     * @throws IllegalArgumentException if it is invalid, with the reason
     */
    static Duration parse(String name, String text, String longest) {
        Duration time;
        try {
            time = DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException | ArithmeticException invalid) {
            throw new IllegalArgumentException(
                    name + ": must be a duration such as 30s, 5m or PT30S but is '" + text + "'", invalid);
        }
        if (time.isNegative() || time.compareTo(DurationStyle.detectAndParse(longest)) > 0) {
            throw new IllegalArgumentException(name + ": must be between 0s and " + longest + " but is '" + text + "'");
        }
        return time;
    }
}
