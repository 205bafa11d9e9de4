package dev.election.support;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Writes durations for people, each in its two largest units: {@code 640 ms}, {@code 12.3 s}, {@code 3 min 20 s}, {@code 2 h 5 min}, {@code 4 d}.
 */
public final class ReadableDuration {

    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE);

    /** A component of a record with a duration as its value, as {@link Duration#toString} writes it. */
    private static final Pattern COMPONENT = Pattern.compile("(?<==)PT(?:-?[0-9.]+[HMS])+(?=[],])");

    private ReadableDuration() {}

    /** Returns the text of a record with its durations written for people. */
    public static String allIn(Object value) {
        return COMPONENT.matcher(value.toString()).replaceAll(found -> of(Duration.parse(found.group())));
    }

    /**
     * Writes the duration, rounded to milliseconds below a second, to tenths of a second below a minute and to seconds below an hour; from
     * there on cut to its second unit.
     */
    public static String of(Duration duration) {
        if (duration.isNegative()) {
            return "-" + of(duration.compareTo(LONGEST.negated()) < 0 ? LONGEST : duration.negated());
        }
        if (duration.compareTo(LONGEST) > 0) {
            return of(LONGEST);
        }
        if (duration.compareTo(Duration.ofNanos(999_500_000)) < 0) {
            return duration.plusNanos(500_000).toMillis() + " ms";
        }
        if (duration.compareTo(Duration.ofMillis(59_950)) < 0) {
            BigDecimal seconds = BigDecimal.valueOf(duration.toMillis(), 3).setScale(1, RoundingMode.HALF_UP);
            return seconds.stripTrailingZeros().toPlainString() + " s";
        }
        Duration rounded = duration.plusMillis(500);
        if (rounded.toHours() == 0) {
            return of(rounded.toMinutes(), "min", rounded.toSecondsPart(), "s");
        }
        return rounded.toDays() == 0
                ? of(rounded.toHours(), "h", rounded.toMinutesPart(), "min")
                : of(rounded.toDays(), "d", rounded.toHoursPart(), "h");
    }

    private static String of(long large, String unit, int small, String smallUnit) {
        return large + " " + unit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }
}
