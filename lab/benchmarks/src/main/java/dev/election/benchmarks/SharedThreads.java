package dev.election.benchmarks;

import dev.election.redis.client.RedisAccess;
import dev.election.redis.client.ClientSettings;
import dev.election.redis.client.OpenedClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import java.util.concurrent.TimeUnit;

/**
 * Threads that the stores of one process share so that hundreds of them fit: one of the connections, one of the timers. Each store keeps
 * its own connections and all its settings, so Redis sees the same as if they were processes.
 */
final class SharedThreads {

    private final ClientResources shared = DefaultClientResources.builder()
            .eventLoopGroupProvider(new DefaultEventLoopGroupProvider(1))
            .computationThreadPoolSize(2)
            .build();

    RedisAccess access(int redisPort) {
        return RedisAccess.by("127.0.0.1:" + redisPort, settings -> open(settings, redisPort));
    }

    private OpenedClient open(ClientSettings settings, int redisPort) {
        RedisURI uri = RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(redisPort)
                .withTimeout(settings.connect())
                .build();
        ClientResources resources = settings.resources()
                .mutate()
                .eventLoopGroupProvider(shared.eventLoopGroupProvider())
                .eventExecutorGroup(shared.eventExecutorGroup())
                .timer(shared.timer())
                .build();
        RedisClient client = RedisClient.create(resources, uri);
        client.setOptions(settings.options(ClientOptions.create(), false));
        return new OpenedClient(client, 0, uri, () -> client.shutdown(0, 1, TimeUnit.SECONDS));
    }
}
