package dev.election.redis.bridge.autoconfigure;

import dev.election.redis.bridge.ValueFormat;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the bridge from a scheduler that elects its master by a key in Redis.
 *
 * @param key the key by which the old scheduler elects its master, such as SCHEDULER_MASTER. Turns the bridge on: this application leads only
 *     while no node of the old scheduler is master
 * @param election the election that replaces the old scheduler
 * @param lock the Redisson lock under which the nodes of the old scheduler elect
 * @param ttl how long the old key lives after a node of the old scheduler has written or renewed it; at least a tenth and a second
 *     longer than the lease
 * @param database the number of the database of the old key and lock; that of the elections unless set
 * @param format how the nodes of the old scheduler write their id into the key: auto recognizes the quotes of a JSON serializer once a node
 *     of the old scheduler has written the key
 */
@ConfigurationProperties("election.bridge")
public record ElectionBridgeProperties(
        @Nullable String key,
        @DefaultValue("default") String election,
        @DefaultValue("MASTER_ELECTION_LOCK") String lock,
        @DefaultValue("60s") Duration ttl,
        @Nullable Integer database,
        @DefaultValue("auto") ValueFormat format) {}
