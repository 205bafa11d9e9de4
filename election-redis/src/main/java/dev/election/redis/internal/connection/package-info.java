/**
 * A connection that is opened again by itself, its time limits, and its threads. Knows nothing of elections, and not whether a server, Sentinels
 * or a Cluster are behind it.
 *
 * <p>{@link ReconnectingConnection} gets a function that connects and hands out the present connection, or the reason why there is none. Begin
 * there. Whoever finds that a connection is dead or wrong tells it, and it opens another: beside the old one where that may still answer.
 *
 * <ul>
 * <li>When to connect again: {@link SilenceWatch} finds connections on which a reply is overdue, by the {@link ReplyTimeout}; {@link
 *     ReconnectPauses} decides how long to wait before the next attempt.
 * <li>How long an attempt may take: {@link ConnectTimeout}, which sees each channel of the client, with {@link SilentSentinels}. {@link
 *     TimeLimit} tells a late timer from a silent server, {@link ActiveFirst} reports no connection before it can be written to.
 * <li>Threads: {@link ClientThreads} reads all connections on one thread, on which replies and messages arrive. {@link ConnectThread} connects,
 *     which blocks. {@link CredentialThreads} asks providers of credentials, which {@link NonBlockingCredentials} wraps.
 * <li>{@link Utf8}: the codec of all connections.
 * </ul>
 */
@NullMarked
package dev.election.redis.internal.connection;

import org.jspecify.annotations.NullMarked;
