package dev.election.redis.client;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;

/**
 * A client of the store's own.
 *
 * @param client what opens connections
 * @param database the number of the database that they use
 * @param sentinels names the Sentinels that know the primary and what they call it, and how to connect to it: credentials, TLS, database;
 *     without any Sentinel, or absent, if a server is reached without them
 * @param close ends it
 */
public record OpenedClient(AbstractRedisClient client, int database, @Nullable RedisURI sentinels, Runnable close) {}
