/**
 * Failures of Redis and of its client, and their meaning for an election.
 *
 * <p>{@link Failures} translates: an exception of Lettuce or an error of the server comes in, a {@link ClassifiedFailure} goes out, with the
 * problem and the action against it ({@link RedisActions}) as the store answers them. Begin there. One that is classified already keeps its
 * meaning, so that the first to see a failure decides.
 *
 * <ul>
 * <li>{@link ConnectFailure}: why an attempt to connect failed, which decides when the next begins.
 * <li>{@link MisplacedReplyException}: a reply that belongs to another request.
 * <li>{@link UnacknowledgedException}: a grant or renewal that too few replicas have acknowledged.
 * <li>{@link StoreClosedException}: an attempt after the end of the store.
 * </ul>
 *
 * <p>Pure functions, on whatever thread a request fails: mostly the one that reads the connections. Nothing here knows a connection; all other
 * packages of the connection use this one.
 */
@NullMarked
package dev.election.redis.internal.failure;

import org.jspecify.annotations.NullMarked;
