package dev.election.redis.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * How long a connection may leave a request unanswered before another one is opened beside it. It doubles whenever that was in vain,
 * and shrinks again with every reply, but not below twice the time that the reply took: a slow link is not a dead one. Never longer
 * than a lease, and than ten seconds: with a lease of minutes that is no longer a matter of a slow link.
 */
final class ReplyPatience {

    private static final long LONGEST = TimeUnit.SECONDS.toNanos(10);

    private final long first;
    private final long lease;
    private final long longest;
    private final BooleanSupplier mayLead;

    /** By what was given up in vain. */
    private volatile long grown;

    /** By what was answered. As long as that is nothing the link may be slow, and this process has no lease to lose. */
    private volatile long observed;

    /**
     * @param mayLead whether this process may hold a lease: it looks for another server while there is time to renew there
     */
    ReplyPatience(Duration lease, BooleanSupplier mayLead) {
        this.lease = lease.toNanos();
        this.longest = Math.min(LONGEST, this.lease);
        this.first = Math.min(longest, this.lease / 8);
        this.mayLead = mayLead;
        this.grown = first;
        this.observed = this.lease / 2;
    }

    long nanos() {
        return Math.min(longest, Math.max(observed, mayLead.getAsBoolean() ? Math.min(grown, lease / 4) : grown));
    }

    /** A connection was replaced, and nothing has been answered since. */
    void givenUp() {
        grown = Math.min(longest, grown * 2);
    }

    /** A reply took that long. */
    void answeredAfter(long nanos) {
        grown = Math.max(first, grown / 2);
        observed = Math.min(lease / 2, Math.max(2 * nanos, observed / 2));
    }
}
