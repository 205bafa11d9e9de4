/**
 * The bridge from a scheduler that elects its master by a key in Redis: while its nodes still run, at most one of both sides leads.
 *
 * <p>{@link Bridge} is put around the lease store of an election. {@link BridgedLeaseStore} then lets a campaign or a renewal pass only while
 * the old key holds the mark of the candidate. {@link OldKey} reads and writes that key (bridge-key.lua), under the lock of the old nodes,
 * {@link OldLock} (bridge-lock.lua), where it has no mark yet. Begin with these.
 *
 * <ul>
 * <li>{@link Chains} orders the several requests of a campaign or a renewal before the release of the candidacy.
 * <li>{@link BridgeStatus} is what this node last saw of the old key, {@link BridgeLog} logs its changes.
 * <li>{@link Bridge#takeOver} takes the key from an old master that does not run any more, on request.
 * </ul>
 *
 * <p>Nothing blocks but {@link Bridge#close}. Replies complete on the thread of the connection to Redis; attempts that are repeated begin on a
 * thread of the bridge.
 */
@NullMarked
package dev.election.redis.bridge;

import org.jspecify.annotations.NullMarked;
