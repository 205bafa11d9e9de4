/**
 * The servers behind a connection: one server, the primary that Sentinels name, or the nodes of a Cluster.
 *
 * <p>{@link RedisConnector} connects to the server that is right at the moment, and hides which of the three it is. Begin there. It blocks, on
 * the thread that connects.
 *
 * <ul>
 * <li>Sentinels: {@link Primary} finds the primary. It asks all {@link Sentinels} ({@link SentinelQuestion}, {@link PrimaryLook}), takes the
 *     {@link SentinelAnswer} of the latest failover, and {@link KnownPrimary} remembers it, so that an old answer is not believed. {@link
 *     PrimaryWatch} listens to the Sentinels for a failover.
 * <li>Cluster: {@link TopologyRefresh} asks the members for their slots before each connection.
 * </ul>
 *
 * <p>In: a client with the addresses of the servers. Out: connections, and the news that the primary is another server. Sentinels are asked on
 * threads of their own, since one that hangs must not hold up another, and their announcements arrive on the thread that reads the connections.
 */
@NullMarked
package dev.election.redis.internal.topology;

import org.jspecify.annotations.NullMarked;
