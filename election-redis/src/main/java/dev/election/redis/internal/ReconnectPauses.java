package dev.election.redis.internal;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * The pauses before attempts to connect. A server that ends all connections, or a switch that does, is not asked for all of them at the
 * same moment: whoever holds no lease begins at random. Short where the server refuses, since it may be back at any moment, and always short in a
 * process that may lead. Others back off after an attempt that was not answered in time: a server or a machine that is slow would
 * otherwise get the slower the more processes wait for it. So they do where the server will refuse them until somebody changes
 * something there: a wrong password, or too many connections.
 */
final class ReconnectPauses {

    private static final long FIRST_MILLIS = 20;

    /** With its jitter, which only shortens it. */
    private static final long LONGEST_MILLIS = 500;

    /**
     * A thousand processes that try every five seconds ask for two connections every five milliseconds, which takes a server a tenth of
     * its time. No more, since it is added to how long nobody leads where the leader is gone as well.
     */
    private static final long LONGEST_BACK_OFF_MILLIS = 5_000;

    /** Of a subscription: how long a connection has to last to count as good. */
    private static final Duration LONG_USE = Duration.ofSeconds(10);

    private final BooleanSupplier mayLead;
    private final boolean isSubscription;
    private final long longestBackOff;
    private final long spread;
    private long refused;
    private long denied;
    private long unanswered;
    private long shortUse;

    ReconnectPauses(Duration lease, BooleanSupplier mayLead) {
        this(lease, mayLead, false);
    }

    private ReconnectPauses(Duration lease, BooleanSupplier mayLead, boolean isSubscription) {
        this.mayLead = mayLead;
        this.isSubscription = isSubscription;
        // Of a lease, which is how long nobody leads after a crash, it is little.
        this.spread = Math.min(LONGEST_MILLIS, lease.toMillis() / 10);
        this.longestBackOff = Math.max(LONGEST_MILLIS, Math.min(LONGEST_BACK_OFF_MILLIS, lease.toMillis() / 2));
    }

    /**
     * Of a subscription to a Sentinel, which no lease depends on as long as others are listened to: also in a process that may lead they
     * grow where its connections end soon, or as soon as they are made.
     */
    static ReconnectPauses ofSubscription(Duration lease, BooleanSupplier mayLead) {
        return new ReconnectPauses(lease, mayLead, true);
    }

    /** See {@link RedisRequests#longestPause}. */
    static Duration longest() {
        return Duration.ofMillis(LONGEST_MILLIS);
    }

    /** Whether this process may lead, and no pause is long. */
    synchronized boolean mayLead() {
        return mayLead.getAsBoolean() && !isFlapping();
    }

    /** Whether the connections of a subscription end soon after they are made. */
    synchronized boolean isFlapping() {
        return isSubscription && shortUse > 0;
    }

    /** Whether a connection that has lasted for so long was lost too soon. */
    boolean isShort(long nanos) {
        return nanos < (isSubscription ? LONG_USE : longest()).toNanos();
    }

    synchronized void connected() {
        refused = 0;
        denied = 0;
        unanswered = 0;
    }

    /** Before the first attempt, when a connection that was good for a while is lost or may be dead. In milliseconds. */
    synchronized long first() {
        shortUse = 0;
        return mayLead() ? 0 : between(0, spread);
    }

    /**
     * Before the first attempt, when a connection is lost that had just been made. The next may be lost as soon: at a replica that is
     * read-only, or where somebody ends connections again and again. In milliseconds.
     */
    synchronized long afterShortUse() {
        shortUse = Math.min(longestBackOff, Math.max(LONGEST_MILLIS, shortUse * 2));
        return mayLead() ? between(LONGEST_MILLIS * 3 / 4, LONGEST_MILLIS) : between(shortUse / 2, shortUse);
    }

    /** After an attempt that failed. In milliseconds. */
    synchronized long after(Failed how) {
        refused = Math.min(LONGEST_MILLIS, Math.max(FIRST_MILLIS, refused * 2));
        if (how == Failed.HUNG_UP && isSubscription) {
            return afterShortUse();
        }
        if (how == Failed.REFUSED || how == Failed.HUNG_UP) {
            denied = 0;
            return between(refused * 3 / 4, refused);
        }
        if (how == Failed.DENIED) {
            // The first ones are made soon: a password is changed at the server and at its clients one after the other.
            denied = Math.min(longestBackOff, Math.max(FIRST_MILLIS, denied * 2));
            return mayLead() ? between(refused * 3 / 4, refused) : between(denied / 2, denied);
        }
        unanswered = Math.min(longestBackOff, Math.max(2 * LONGEST_MILLIS, unanswered * 2));
        return mayLead() ? between(refused * 3 / 4, refused) : between(unanswered / 2, unanswered);
    }

    /** How an attempt to connect has failed. */
    enum Failed {
        /** Nobody is there. The server may be back at any moment. */
        REFUSED,
        /** The server ended the connection. It may be back at any moment. */
        HUNG_UP,
        /** The server has said that it does not serve this process, and will say so until somebody changes something. */
        DENIED,
        /** Nothing was said in time. */
        UNANSWERED
    }

    private static long between(long least, long most) {
        return ThreadLocalRandom.current().nextLong(least, most + 1);
    }
}
