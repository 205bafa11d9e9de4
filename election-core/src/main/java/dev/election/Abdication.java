package dev.election;

import dev.election.support.OneLine;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The terms on which a leader gives up its leadership. An {@link AbdicationRequest}, which asks another node, has tighter bounds.
 *
 * @param drain how long to wait for running leader work before leadership is released; {@code null} for the drain time of the election;
 *     no longer than {@link Election#LONGEST_WAIT}
 * @param cooldown how long this node does not campaign after the release, at most {@link Election#LONGEST_WAIT}
 * @param successor the id of the only node that may take over at first, or {@code null} for any
 * @param reserve how long leadership is reserved for the successor before any node may take it, at most
 *     {@link Election#LONGEST_WAIT}
 * @param requestedBy who asked for it, for the log and the history: an operator or a node; {@code null} if the node gives up by itself. On
 *     one line and at most {@link #LONGEST_REQUESTER} characters long
 */
public record Abdication(
        @Nullable Duration drain,
        Duration cooldown,
        @Nullable String successor,
        Duration reserve,
        @Nullable String requestedBy) {

    /** The highest number of characters of a requester; a longer one is cut. */
    public static final int LONGEST_REQUESTER = 256;

    /** Throws an {@link IllegalArgumentException} for a negative time, and for one above its bound except the drain time, which is reduced. */
    public Abdication {
        if (drain != null) {
            if (drain.isNegative()) {
                throw new IllegalArgumentException("The drain time can't be negative: " + ReadableDuration.of(drain));
            }
            drain = Election.bounded(drain);
        }
        requireBounded("cooldown", cooldown);
        requireBounded("time reserved for the successor", reserve);
        requestedBy = oneLine(requestedBy);
    }

    /** Creates an abdication that nobody asked for. */
    public Abdication(@Nullable Duration drain, Duration cooldown, @Nullable String successor, Duration reserve) {
        this(drain, cooldown, successor, reserve, null);
    }

    /** Returns an abdication to the first node that campaigns, with a cooldown of a second so that another node can win if there is one. */
    public static Abdication toAnyone() {
        return new Abdication(null, Duration.ofSeconds(1), null, Duration.ZERO);
    }

    /** Returns an abdication to one node, which has three seconds to take over before any node may. This node cools down for as long. */
    public static Abdication to(String successor) {
        return new Abdication(null, Duration.ofSeconds(3), successor, Duration.ofSeconds(3));
    }

    /** Returns this abdication with another drain time. */
    public Abdication drainingFor(Duration drain) {
        return new Abdication(drain, cooldown, successor, reserve, requestedBy);
    }

    /** Returns this abdication with another cooldown. */
    public Abdication coolingDownFor(Duration cooldown) {
        return new Abdication(drain, cooldown, successor, reserve, requestedBy);
    }

    /** Returns this abdication with another requester. */
    public Abdication requestedBy(@Nullable String requester) {
        return new Abdication(drain, cooldown, successor, reserve, requester);
    }

    /** Cleans the text: it may come from a message, which anybody may have written. */
    private static @Nullable String oneLine(@Nullable String requester) {
        if (requester == null) {
            return null;
        }
        String line = OneLine.shown(requester, LONGEST_REQUESTER);
        return line.isEmpty() ? null : line;
    }

    private static void requireBounded(String what, Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("The " + what + " can't be negative: " + ReadableDuration.of(time));
        }
        if (time.compareTo(Election.LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException("The " + what + " must be at most " + Election.LONGEST_WAIT.toDays()
                    + " days, but is " + ReadableDuration.of(time));
        }
    }
}
