/** The bridge from a scheduler that elects its master by a key in Redis: while its nodes still run, at most one of both sides leads. */
@NullMarked
package dev.election.redis.bridge;

import org.jspecify.annotations.NullMarked;
