/**
 * Channels of Redis, and a connection for them that is opened again by itself.
 *
 * <p>{@link EventChannels} subscribes to the channels that somebody listens to, and passes their messages on. Begin there. Redis keeps no
 * messages: so a listener is told when its channel can be heard (again), and has to ask for what it may have missed.
 *
 * <ul>
 * <li>In: channels with their {@link ChannelListener}, and the news that the connection for requests was lost or that another server is the
 *     primary; either may concern this connection as well.
 * <li>Out: messages as the listener reads them, and its events: connected, connected anew, refused.
 * <li>{@link EventsWatch} asks for a sign of life where nothing arrives: an idle connection looks like a dead one.
 * </ul>
 *
 * <p>Messages arrive on the thread that reads the connections, the events of a new connection on one that connects. Channels that the server
 * refuses are asked for again from time to time, since permissions change.
 */
@NullMarked
package dev.election.redis.internal.events;

import org.jspecify.annotations.NullMarked;
