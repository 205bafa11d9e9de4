package dev.election.redis;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * The pauses between attempts to connect. Short where the server refuses, since it may be back at any moment, and always short in a
 * process that may lead. Others back off after an attempt that was not answered in time: a server or a machine that is slow would
 * otherwise get the slower the more processes wait for it.
 */
final class ReconnectPauses {

    private static final long FIRST_MILLIS = 20;

    /** With its jitter, which only shortens it. */
    private static final long LONGEST_MILLIS = 500;

    private static final long LONGEST_BACK_OFF_MILLIS = 5_000;

    private final BooleanSupplier mayLead;
    private final long longestBackOff;
    private long refused;
    private long unanswered;

    ReconnectPauses(Duration lease, BooleanSupplier mayLead) {
        this.mayLead = mayLead;
        this.longestBackOff = Math.max(LONGEST_MILLIS, Math.min(LONGEST_BACK_OFF_MILLIS, lease.toMillis() / 2));
    }

    /**
     * The longest pause between two attempts to connect to a server that refuses connections, jitter included: for how long a living
     * leader may still wait when the server is back.
     */
    static Duration longest() {
        return Duration.ofMillis(LONGEST_MILLIS);
    }

    boolean mayLead() {
        return mayLead.getAsBoolean();
    }

    void connected() {
        refused = 0;
        unanswered = 0;
    }

    /** In milliseconds. */
    long after(boolean timedOut) {
        refused = Math.min(LONGEST_MILLIS, Math.max(FIRST_MILLIS, refused * 2));
        if (!timedOut) {
            return between(refused * 3 / 4, refused);
        }
        unanswered = Math.min(longestBackOff, Math.max(2 * LONGEST_MILLIS, unanswered * 2));
        return mayLead() ? between(refused * 3 / 4, refused) : between(unanswered / 2, unanswered);
    }

    private static long between(long least, long most) {
        return ThreadLocalRandom.current().nextLong(least, most + 1);
    }
}
