package dev.election.redis.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the lease store in Redis.
 *
 * @param keyPrefix the prefix of all keys and channels; applications that must not share an election need different prefixes
 * @param hashTag puts the keys of all elections into one slot of a Cluster, so that one request serves many elections; each election has
 *     a slot of its own unless set. To change it, stop all nodes first: nodes with different tags elect a leader each
 * @param settleForALease whether a Redis without any record of an election grants no lease for the time of a whole lease, so that a Redis
 *     that restarts empty never causes two leaders. If not, it grants one after a second, in which a living leader answers
 * @param acknowledgingReplicas how many replicas must have acknowledged a grant or a renewal before it counts: a number, 0 for none, or all,
 *     which is as many as were ever attached while the election was led, and at least one. Without so many, no node leads
 * @param connectionFactory the name of the RedisConnectionFactory bean of the Redis that stores the leases; the only or the
 *     primary one unless set
 */
@ConfigurationProperties("election.redis")
public record ElectionRedisProperties(
        @DefaultValue("election") String keyPrefix,
        @DefaultValue("") String hashTag,
        @DefaultValue("false") boolean settleForALease,
        @DefaultValue("0") String acknowledgingReplicas,
        @Nullable String connectionFactory) {}
