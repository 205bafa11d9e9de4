/**
 * Writes to Redis that are refused for the token of an earlier leader.
 *
 * <p>{@link FencedRedis} runs a script with a check before it ({@link FencedScript}): the newest token is beside the written key ({@link
 * FenceKeys}), so that Redis compares and writes in one step. {@link RedisTokenGate} keeps tokens of resources in the same way. Both wait
 * for Redis on the thread of the caller.
 */
@NullMarked
package dev.election.fencing.redis;

import org.jspecify.annotations.NullMarked;
