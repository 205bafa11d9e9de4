/**
 * The Actuator support: endpoint {@code leader}, health and info.
 *
 * <p>Begin with {@link LeaderOperations}. {@link LeaderEndpoint} passes calls by JMX and HTTP to it, {@link LeaderWebExtension} adds the
 * HTTP status of an {@link Answer}. Parameters come in as text ({@code parameters}); an invalid one is answered with a message.
 *
 * <p>A request for all elections is answered from memory, by a {@link NodeOverview} of the {@link NodeKnowledge}. A request for one election
 * reads the store, and {@link RecentReads} lets callers share a recent read. Requests to abdicate and orders to drain go to the store. All of it
 * runs on the thread of the caller, which waits for the store up to a limit.
 *
 * <p>The records whose names end in {@code View} are the JSON of the endpoint: their components are its documented fields. Those of an
 * election are in {@code elections}, those of the members in {@code members}. {@link ViewHints} registers the views for native images.
 *
 * <p>{@link LeaderHealthIndicator} and {@link LeaderInfoContributor} read memory only, so that a probe never waits for the store.
 */
@NullMarked
package dev.election.autoconfigure.internal.actuate;

import org.jspecify.annotations.NullMarked;
