package com.example.sample.redis;

import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.aot.AbstractAotProcessor;

/** Starts a Redis before the application connects, if the application wants one on this machine and none answers there. */
public final class EmbeddedRedis implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedRedis.class);

    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1");

    /** Ends with this process. */
    @SuppressWarnings("unused")
    private @Nullable RedisServer server;

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        if (Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
            // A build that prepares the application connects to nothing.
            return;
        }
        DataRedisProperties redis =
                Binder.get(event.getEnvironment()).bindOrCreate("spring.data.redis", DataRedisProperties.class);
        int port = redis.getPort();
        if (!isOneServerHere(redis)) {
            log.info("Redis: the one that the spring.data.redis properties name");
        } else if (RedisServer.listensAt(port)) {
            log.info("Redis: the one that answers at port {}", port);
        } else {
            startAt(port);
        }
    }

    private static boolean isOneServerHere(DataRedisProperties redis) {
        boolean oneServer = redis.getUrl() == null && redis.getSentinel() == null && redis.getCluster() == null;
        return oneServer && THIS_MACHINE.contains(redis.getHost());
    }

    private void startAt(int port) {
        try {
            server = RedisServer.startAt(port, null);
            log.info("Redis: an embedded one at port {}, which ends with this process", port);
        } catch (IOException e) {
            if (RedisServer.listensAt(port)) {
                log.info("Redis: the one that another replica has just started at port {}", port);
                return;
            }
            throw new IllegalStateException(
                    "No Redis answers at port " + port + ", and the embedded one did not start (" + e.getMessage()
                            + "). Start a Redis there, or name another place by spring.data.redis.host and"
                            + " spring.data.redis.port",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while Redis started at port " + port, e);
        }
    }
}
