package dev.election.quartz.internal;

import java.time.Instant;
import java.util.Date;

/** Converts between the dates of Quartz and milliseconds. */
final class Times {

    private Times() {}

    static long millis(Date date) {
        return date.toInstant().toEpochMilli();
    }

    static Date date(long millis) {
        return Date.from(Instant.ofEpochMilli(millis));
    }
}
