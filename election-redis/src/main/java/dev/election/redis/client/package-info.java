/**
 * Access to a Redis, and the client that the store makes with it.
 *
 * <p>{@link RedisAccess} says how to reach Redis: one server, Sentinels or a Cluster, or by a client that the caller creates. Begin there. The
 * store calls it once, when it is created, with its {@link ClientSettings}: the threads and time limits of a client for leases, and where
 * providers of credentials are asked. The access returns an {@link OpenedClient}, over which the store opens its connections and which it closes
 * at its own end.
 *
 * <ul>
 * <li>In: URIs of Lettuce, or settings of an application for its own client, such as those of Spring Data.
 * <li>Out: a client of Lettuce that neither reconnects nor repeats a request, since the store does the one and must not do the other.
 * <li>{@link MaintenanceNotifications}: an option that only newer versions of Lettuce have.
 * </ul>
 *
 * <p>Everything runs on the thread that creates the store, and nothing connects yet. The packages below {@code dev.election.redis.internal}
 * open the connections.
 */
@NullMarked
package dev.election.redis.client;

import org.jspecify.annotations.NullMarked;
