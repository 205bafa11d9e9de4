package dev.election.quartz.internal.trigger;

import java.util.Date;

/**
 * Slots of a trigger that nobody has fired.
 *
 * @param count how many they are, at most {@link #MOST}
 * @param first the earliest
 * @param last the latest of those that are counted
 */
public record Missed(int count, Date first, Date last) {

    /** Limit for the count: nobody needs to know more exactly. */
    static final int MOST = 1000;

    /** Adds slots of the same trigger or another one. */
    Missed and(Missed other) {
        return new Missed(
                Math.min(count + other.count, MOST),
                Times.millis(first) <= Times.millis(other.first) ? first : other.first,
                Times.millis(last) >= Times.millis(other.last) ? last : other.last);
    }

    @Override
    public String toString() {
        String number = count < MOST ? String.valueOf(count) : "at least " + count;
        return count == 1
                ? "the slot " + first.toInstant()
                : "the " + number + " slots from " + first.toInstant() + " to " + last.toInstant();
    }
}
