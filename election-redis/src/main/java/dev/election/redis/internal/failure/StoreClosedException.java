package dev.election.redis.internal.failure;

import io.lettuce.core.RedisConnectionException;

/** The store is closed, so nothing connects any more. */
public final class StoreClosedException extends RedisConnectionException {

    private static final long serialVersionUID = 1L;

    public StoreClosedException() {
        super("The store is closed");
    }
}
