/**
 * Puts the bridge from an old scheduler around the lease store, and shows it.
 *
 * <p>{@link ElectionBridgeAutoConfiguration} creates the bridge if {@code election.bridge.key} is set, with the endpoint and the health
 * contributor, both of which show a {@link BridgeView}.
 */
@NullMarked
package dev.election.redis.bridge.autoconfigure;

import org.jspecify.annotations.NullMarked;
