package dev.election.redis.internal.events;

/**
 * Text for the log about channels that the server refuses.
 *
 * @param consequence of their lack, in one sentence without a full stop
 * @param keyPrefix the name of the setting by which the names of the channels begin
 */
public record Refusal(String consequence, String keyPrefix) {}
