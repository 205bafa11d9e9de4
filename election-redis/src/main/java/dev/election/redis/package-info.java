/**
 * The lease store over Redis: the protocol as Lua scripts, its keys and its replies.
 *
 * <p>{@link RedisLeaseStore} takes the requests of the elections and returns their replies. {@link ProtocolRequests} sends each request as one
 * script, or those of a batch together as one (together.lua). {@link ScriptSet} puts the scripts together, {@link ElectionKeys} names the keys
 * and channels, and {@link Replies} reads the answers. Begin with {@code RedisLeaseStore}, then read {@code META-INF/election/redis/common.lua}
 * and {@code campaign.lua}.
 *
 * <ul>
 * <li>{@link RedisMembers} and {@link RedisMemberMessaging}: the members, and the messages between them.
 * <li>{@link RedisLedgerStore}: the ledgers of jobs and of the leader's state, which {@link LedgerOpenings} opens.
 * <li>{@link AcknowledgingReplicas} and {@link Acknowledgements}: leases that count only once replicas have acknowledged them.
 * <li>{@link BatchSize}: how many renewals share a script, so that no script holds up Redis for long.
 * <li>{@link RedisCheckUp}: what the checks after the start ask of the server.
 * </ul>
 *
 * <p>Nothing blocks but {@link RedisLeaseStore#close}. A request begins on the thread of the caller once there is a connection, replies complete
 * on the thread that reads the connections, and events arrive there or on a thread that connects. The requests go through {@code dev.election.redis.internal.requests}, with the connections, the servers behind them and the translation of failures in the packages beside it.
 */
@NullMarked
package dev.election.redis;

import org.jspecify.annotations.NullMarked;
