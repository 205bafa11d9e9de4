package dev.election.faults.node;

import dev.election.harness.RedisTalk;
import java.io.IOException;
import java.time.Duration;

/** A key in a Redis that nobody breaks. */
final class FencedKey implements FencedResource {

    private static final String WRITE =
            """
            if (tonumber(redis.call('HGET', KEYS[1], 'token') or '0')) > tonumber(ARGV[1]) then
              return 0
            end
            redis.call('HSET', KEYS[1], 'token', ARGV[1])
            return redis.call('HINCRBY', KEYS[1], 'sequence', 1)
            """;

    private final RedisTalk redis;
    private final String key;

    FencedKey(int port, String key) throws IOException {
        this.redis = new RedisTalk(port, Duration.ofSeconds(5));
        this.key = key;
    }

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public long write(long token) throws IOException {
        return (Long) redis.ask("EVAL", WRITE, "1", key, Long.toString(token));
    }

    @Override
    public void close() throws IOException {
        redis.close();
    }
}
