package dev.election.redis.internal.failure;

import io.lettuce.core.RedisException;

/** A reply belongs to another request, so no reply of that connection can be trusted any more. */
public final class MisplacedReplyException extends RedisException {

    private static final long serialVersionUID = 1L;

    public MisplacedReplyException(String script) {
        super("A reply to the script '" + script
                + "' belongs to another request: replies and requests of the connection are out of step");
    }
}
