package com.example.sample.testing;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Looks at a Redis over a connection that is gone afterwards, so that it does not count as a user for long. */
public final class RedisPeek {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private RedisPeek() {}

    /** The process of the Redis that answers at this port; empty if none does, also if it ends while it is asked. */
    public static Optional<ProcessHandle> process(int port) {
        RedisClient client = RedisClient.create(RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(port)
                .withTimeout(PATIENCE)
                .build());
        client.setOptions(ClientOptions.builder().autoReconnect(false).build());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection
                    .sync()
                    .info("server")
                    .lines()
                    .filter(line -> line.startsWith("process_id:"))
                    .map(line -> Long.parseLong(
                            line.substring("process_id:".length()).strip()))
                    .findFirst()
                    .flatMap(ProcessHandle::of);
        } catch (RedisCommandTimeoutException | RedisCommandExecutionException silentOrRefused) {
            throw silentOrRefused;
        } catch (RedisException nobodyThere) {
            return Optional.empty();
        } finally {
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }
}
