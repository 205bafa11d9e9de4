/** Finds the Redis of an application, with its servers, credentials and TLS settings, for a separate client of the elections. */
@NullMarked
package dev.election.redis.autoconfigure;

import org.jspecify.annotations.NullMarked;
