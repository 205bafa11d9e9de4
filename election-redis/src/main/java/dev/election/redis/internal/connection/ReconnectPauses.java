package dev.election.redis.internal.connection;

import dev.election.redis.internal.failure.ConnectFailure;
import dev.election.redis.internal.requests.RedisRequests;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * The pauses before attempts to connect.
 *
 * <ul>
 * <li>After a connection is lost, a process without a lease begins at a random moment: a server or a switch may have ended all connections
 * at once.
 * <li>Pauses are short if the server refuses, since it may be back at any moment, and always in a process that may lead.
 * <li>All other processes back off after an attempt that was not answered in time: a slow server or machine would otherwise get slower the
 * more processes wait for it.
 * <li>The same processes back off if the server refuses them until somebody changes something: a wrong password, or too many connections.
 * </ul>
 */
public final class ReconnectPauses {

    private static final long FIRST_MILLIS = 20;

    /** Longest pause unless a process backs off. Jitter only shortens it. */
    private static final long LONGEST_MILLIS = 500;

    /**
     * Longest pause of a process that backs off. A thousand processes that try every five seconds ask for two connections every five
     * milliseconds, which takes a server a tenth of its time. Not longer, since it adds to the time without a leader if the leader is gone
     * as well.
     */
    private static final long LONGEST_BACK_OFF_MILLIS = 5_000;

    /** How long the connection of a subscription has to last to count as good. */
    private static final Duration LONG_USE = Duration.ofSeconds(10);

    private final BooleanSupplier mayLead;
    private final boolean isSubscription;
    private final long longestBackOff;
    private final long spread;
    private long refused;
    private long denied;
    private long unanswered;
    private long shortUse;

    public ReconnectPauses(Duration lease, BooleanSupplier mayLead) {
        this(lease, mayLead, false);
    }

    private ReconnectPauses(Duration lease, BooleanSupplier mayLead, boolean isSubscription) {
        this.mayLead = mayLead;
        this.isSubscription = isSubscription;
        // It is little of a lease, which is the time without a leader after a crash.
        this.spread = Math.min(LONGEST_MILLIS, lease.toMillis() / 10);
        this.longestBackOff = Math.max(LONGEST_MILLIS, Math.min(LONGEST_BACK_OFF_MILLIS, lease.toMillis() / 2));
    }

    /**
     * Creates the pauses of a subscription to a Sentinel. No lease depends on it as long as other Sentinels are listened to: so its pauses
     * grow also in a process that may lead, if connections end soon after or while they are made.
     */
    public static ReconnectPauses ofSubscription(Duration lease, BooleanSupplier mayLead) {
        return new ReconnectPauses(lease, mayLead, true);
    }

    /** See {@link RedisRequests#longestPause}. */
    public static Duration longest() {
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

    /** Pause in milliseconds before the first attempt, after a connection that was good for a while is lost or may be dead. */
    synchronized long first() {
        shortUse = 0;
        return mayLead() ? 0 : between(0, spread);
    }

    /**
     * Pause in milliseconds before the first attempt, after a connection is lost that had just been made. The next may be lost as soon: at
     * a replica that is read-only, or where somebody ends connections again and again.
     */
    synchronized long afterShortUse() {
        shortUse = Math.min(longestBackOff, Math.max(LONGEST_MILLIS, shortUse * 2));
        return mayLead() ? between(LONGEST_MILLIS * 3 / 4, LONGEST_MILLIS) : between(shortUse / 2, shortUse);
    }

    /** Pause in milliseconds after an attempt that failed. */
    synchronized long after(ConnectFailure how) {
        refused = Math.min(LONGEST_MILLIS, Math.max(FIRST_MILLIS, refused * 2));
        if (how == ConnectFailure.HUNG_UP && isSubscription) {
            return afterShortUse();
        }
        if (how == ConnectFailure.REFUSED || how == ConnectFailure.HUNG_UP) {
            denied = 0;
            return between(refused * 3 / 4, refused);
        }
        if (how == ConnectFailure.DENIED) {
            // The first ones are made soon: a password is changed at the server and at its clients one after the other.
            denied = Math.min(longestBackOff, Math.max(FIRST_MILLIS, denied * 2));
            return mayLead() ? between(refused * 3 / 4, refused) : between(denied / 2, denied);
        }
        unanswered = Math.min(longestBackOff, Math.max(2 * LONGEST_MILLIS, unanswered * 2));
        return mayLead() ? between(refused * 3 / 4, refused) : between(unanswered / 2, unanswered);
    }

    private static long between(long least, long most) {
        return ThreadLocalRandom.current().nextLong(least, most + 1);
    }
}
