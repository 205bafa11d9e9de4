package dev.election.quartz.internal.trigger;

import java.time.Instant;
import java.util.Date;

/** Converts between the dates of Quartz and milliseconds. */
public final class Times {

    private Times() {}

    public static long millis(Date date) {
        return date.toInstant().toEpochMilli();
    }

    public static Date date(long millis) {
        return Date.from(Instant.ofEpochMilli(millis));
    }
}
