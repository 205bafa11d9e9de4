package dev.election.redis.internal.events;

import java.time.Duration;

/**
 * Check of a connection on which nothing arrives.
 *
 * @param after how long nothing is heard before an answer is asked for
 * @param timeout how long the answer is waited for
 */
public record IdleCheck(Duration after, Duration timeout) {}
