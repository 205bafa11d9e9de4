/**
 * Finds the Redis of an application, with its servers, credentials and TLS settings, for a separate client of the elections.
 *
 * <p>{@link ElectionRedisAutoConfiguration} creates the store over what {@link RedisOfApplication} finds: the servers of a Lettuce factory
 * ({@link SpringDataClient}), or of another client ({@link OwnClient}). {@link ElectionRedisChecksAutoConfiguration} adds the checks after the
 * start.
 */
@NullMarked
package dev.election.redis.autoconfigure;

import org.jspecify.annotations.NullMarked;
