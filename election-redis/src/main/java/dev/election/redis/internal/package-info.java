/**
 * Connections to Redis that are opened again by themselves: one for requests, which are scripts, and others for channels. Knows nothing of
 * elections.
 *
 * <p>{@link RedisRequests} runs a {@link LuaScript} and returns its reply, or a failure that {@link Failures} translates. {@link EventChannels}
 * passes the messages of channels to its listeners. Both rest on {@link ReconnectingConnection}: begin with these. {@link
 * dev.election.redis.RedisAccess} says how to reach Redis; the other public types are for the packages beside this one.
 *
 * <ul>
 * <li>When to connect again: {@link SilenceWatch} and {@link EventsWatch} find dead connections, {@link ReplyPatience} and {@link
 *     ConnectPatience} limit the waits, {@link ReconnectPauses} the attempts.
 * <li>Where to connect: {@link RedisConnector} hides whether a server, Sentinels or a Cluster are behind a connection. {@link PrimaryWatch}
 *     and {@link Primary} follow the primary that the Sentinels name, {@link TopologyRefresh} the nodes of a Cluster.
 * <li>Replicas: {@link ReplicaWait} waits for their {@link Acknowledgement} of a script.
 * <li>Threads: {@link ClientThreads} reads all connections on one thread, on which replies and messages arrive. {@link ConnectThread} connects,
 *     which blocks. {@link CredentialThreads} asks providers of credentials.
 * </ul>
 */
@NullMarked
package dev.election.redis.internal;

import org.jspecify.annotations.NullMarked;
