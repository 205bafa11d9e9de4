/**
 * Scripts for other modules of this library that keep something of their own in Redis, such as the bridge. Applications do not need it.
 *
 * <p>{@link RedisScripts} is the whole of it: a connection of its own, opened at the first request and again when it is lost, {@link
 * RedisScripts.Script} with the keys and arguments of a request, and the translation of a failure to what an election knows of its store.
 *
 * <ul>
 * <li>In: the access to Redis, the lease that depends on the replies, and whether this process may hold it: then a dead connection is replaced
 *     sooner.
 * <li>Out: the strings of a reply, or a failure. A request that failed may have been carried out; it is never sent again.
 * </ul>
 *
 * <p>Nothing blocks but {@link RedisScripts#close}. A request begins on the thread of the caller once there is a connection, and replies
 * complete on the thread that reads the connections. The store itself uses {@code dev.election.redis.internal.requests}, on which this rests.
 */
@NullMarked
package dev.election.redis.script;

import org.jspecify.annotations.NullMarked;
