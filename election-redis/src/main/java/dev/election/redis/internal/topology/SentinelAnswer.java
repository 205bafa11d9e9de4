package dev.election.redis.internal.topology;

/**
 * The answer of a Sentinel to the question which server is the primary.
 *
 * @param epoch of the failover that made it the primary: a later failover has a higher one; {@link #NO_EPOCH} if the Sentinel does not say
 * @param server the primary
 */
record SentinelAnswer(long epoch, ServerAddress server) {

    static final long NO_EPOCH = -1;

    boolean hasEpoch() {
        return epoch != NO_EPOCH;
    }
}
