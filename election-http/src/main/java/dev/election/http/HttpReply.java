package dev.election.http;

import org.jspecify.annotations.Nullable;

/**
 * A reply that was received as a whole.
 *
 * @param status the status
 * @param body the body in UTF-8, empty for none
 * @param retryAfter the header of that name, {@code null} if there was none
 */
public record HttpReply(int status, String body, @Nullable String retryAfter) {}
