/** Finds the Redis of an application: its servers, credentials and TLS settings, for a client of the elections' own. */
@NullMarked
package dev.election.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;
