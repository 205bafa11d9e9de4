package dev.election.redis.internal.failure;

import io.lettuce.core.RedisException;

/** Redis has carried a request out, but too few replicas acknowledged in time what it wrote: it may be lost with the primary. */
public final class UnacknowledgedException extends RedisException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param acknowledged how many replicas have
     * @param needed how many it takes
     */
    public UnacknowledgedException(int acknowledged, int needed) {
        super("acknowledged by " + acknowledged + " of " + needed + " replicas");
    }
}
