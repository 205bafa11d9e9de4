package dev.election.redis.internal;

import io.lettuce.core.RedisConnectionException;

/** The store is closed, so nothing connects any more. */
final class StoreClosedException extends RedisConnectionException {

    private static final long serialVersionUID = 1L;

    StoreClosedException() {
        super("The store is closed");
    }
}
