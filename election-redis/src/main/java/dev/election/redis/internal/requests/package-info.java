/**
 * Requests to Redis: scripts over one connection, which is opened again by itself.
 *
 * <p>{@link RedisRequests} runs a {@link LuaScript} and returns its reply, or a failure that {@link dev.election.redis.internal.failure.Failures}
 * translates. Begin there: it puts the client, its threads, the connections and the channels for events together, and closes them in order.
 *
 * <ul>
 * <li>In: a script, its keys, and arguments that may depend on the connection. A script travels by its digest, with its text only where the
 *     server does not know it.
 * <li>Out: a {@link ScriptReply}. Each request has a name, which its reply repeats, so that a reply out of step is noticed.
 * <li>{@link ReplicaWait} waits until replicas have acknowledged what a script wrote, as many as its {@link Acknowledgement} says.
 * <li>{@link Replacement}: the news that requests go over another connection than before.
 * </ul>
 *
 * <p>Nothing blocks but {@link RedisRequests#close}. A request is sent on the thread of the caller once there is a connection, replies complete
 * on the thread that reads the connections. A request is never sent again unless the server has said that it did not run it.
 */
@NullMarked
package dev.election.redis.internal.requests;

import org.jspecify.annotations.NullMarked;
