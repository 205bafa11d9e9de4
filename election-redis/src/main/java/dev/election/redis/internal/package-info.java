/**
 * A connection to Redis that is made anew by itself: requests that are scripts, and channels for events. Knows nothing of elections.
 * {@link dev.election.redis.RedisAccess} says how to reach Redis; the other public types are for the packages beside this one.
 */
@NullMarked
package dev.election.redis.internal;

import org.jspecify.annotations.NullMarked;
