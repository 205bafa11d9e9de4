package dev.election.record;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A member as its key describes it.
 *
 * @param beat a number, another one for each beat, so that each writes other bytes: a count would begin again where old data comes back
 * @param lasts how long it counts as there after a beat
 * @param until when it expires, {@code null} in a store without a clock
 * @param joined when it joined, in milliseconds
 * @param listener the id of its node if that hears of changes at once, {@code null} if it may hear of them late
 * @param text its description of itself
 */
record RecordedMember(
        long beat, Duration lasts, @Nullable Instant until, long joined, @Nullable String listener, String text) {

    /** The longest time after a beat that is believed: longer than an order to drain a node lasts. */
    private static final Duration LONGEST = Duration.ofDays(32);

    /** The lines of numbers before the text. */
    private static final int NUMBERS = 4;

    /** A line before the text. Earlier versions take it for a part of the text, and skip it there. */
    private static final String LISTENS = "listens=";

    /** Writes the text of the key. */
    String write() {
        return String.join(
                "\n",
                "beat=" + beat,
                "lasts=" + lasts.toMillis(),
                "until=" + (until == null ? 0 : until.toEpochMilli()),
                "joined=" + joined,
                listener == null ? text : LISTENS + listener + "\n" + text);
    }

    /** Reads the text of a key; {@code null} for one that no member writes. */
    static @Nullable RecordedMember read(String stored) {
        String[] parts = stored.split("\n", NUMBERS + 1);
        if (parts.length <= NUMBERS) {
            return null;
        }
        String rest = parts[NUMBERS];
        int end = rest.startsWith(LISTENS) ? rest.indexOf('\n') : -1;
        try {
            long until = number("until=", parts[2]);
            Duration lasts = Duration.ofMillis(number("lasts=", parts[1]));
            return new RecordedMember(
                    number("beat=", parts[0]),
                    lasts.compareTo(LONGEST) < 0 ? lasts : LONGEST,
                    until == 0 ? null : Instant.ofEpochMilli(until),
                    number("joined=", parts[3]),
                    end < 0 ? null : rest.substring(LISTENS.length(), end),
                    rest.substring(end + 1));
        } catch (NumberFormatException unreadable) {
            return null;
        }
    }

    private static long number(String name, String line) {
        if (!line.startsWith(name)) {
            throw new NumberFormatException(line);
        }
        return Long.parseUnsignedLong(line.substring(name.length())) & Long.MAX_VALUE;
    }

    /**
     * Whether the member has not beaten for too long. An end that is further ahead than a beat lasts was written before the store's clock
     * went back.
     *
     * @param clock the time of the store, {@code null} if it has no clock
     * @param seenFor for how long this process has seen no other beat
     */
    boolean isOverdue(@Nullable Instant clock, Duration seenFor) {
        if (clock == null || until == null || until.isAfter(clock.plus(lasts))) {
            return seenFor.compareTo(lasts) > 0;
        }
        return until.isBefore(clock);
    }
}
