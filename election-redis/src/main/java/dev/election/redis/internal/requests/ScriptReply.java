package dev.election.redis.internal.requests;

import io.lettuce.core.api.StatefulConnection;
import java.util.List;

/**
 * The reply of a script.
 *
 * @param parts its strings
 * @param acknowledged how many replicas had acknowledged by then what it wrote; 0 if nobody waited for them
 * @param connection over which it was asked
 */
public record ScriptReply(List<String> parts, int acknowledged, StatefulConnection<String, String> connection) {}
