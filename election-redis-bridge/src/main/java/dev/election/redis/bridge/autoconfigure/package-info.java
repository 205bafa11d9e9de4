/** Puts the bridge from an old scheduler around the lease store, and shows it. */
@NullMarked
package dev.election.redis.bridge.autoconfigure;

import org.jspecify.annotations.NullMarked;
