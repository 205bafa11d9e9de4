package dev.election.redis.internal.connection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Time for which a connection may leave a request unanswered before another one is opened beside it. It doubles with each connection that
 * is replaced, and shrinks with every reply, but not below twice the time that the reply took: a slow link is not a dead one. Never longer
 * than a lease, and than ten seconds: a longer silence does not come from a slow link.
 */
public final class ReplyTimeout {

    private static final long LONGEST = TimeUnit.SECONDS.toNanos(10);

    private final long first;
    private final long lease;
    private final long longest;
    private final BooleanSupplier mayLead;

    /** The time by the connections that were replaced. */
    private volatile long grown;

    /** The time by the replies. Long until the first one: the link may be slow, and this process has no lease to lose. */
    private volatile long observed;

    /**
     * @param mayLead whether this process may hold a lease: it looks for another server while there is time to renew there
     */
    public ReplyTimeout(Duration lease, BooleanSupplier mayLead) {
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

    /** Records that a connection was replaced. */
    void givenUp() {
        grown = Math.min(longest, grown * 2);
    }

    /** Records how long a reply took. */
    void answeredAfter(long nanos) {
        grown = Math.max(first, grown / 2);
        observed = Math.min(lease / 2, Math.max(2 * nanos, observed / 2));
    }
}
