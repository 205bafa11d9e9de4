package com.example.sample.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.aot.AbstractAotProcessor;

/**
 * Sees to it that a Redis answers before the application connects. If none does on this machine, it starts one that all replicas
 * here share and that is gone soon after the last of them, whichever began and however they end.
 */
public final class EmbeddedRedis implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedRedis.class);

    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1");
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /**
     * Held until the process ends, when the kernel closes it: from this the guardian knows that the replica lives. The election's
     * own connection comes later, and goes for a moment whenever it is renewed.
     */
    @SuppressWarnings("unused")
    private @Nullable Socket presence;

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        DataRedisProperties redis =
                Binder.get(event.getEnvironment()).bindOrCreate("spring.data.redis", DataRedisProperties.class);
        if (Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
            return;
        }
        if (!isOneServerHere(redis)) {
            log.info("Redis: the one that the spring.data.redis properties name");
            return;
        }
        RedisPort port = new RedisPort(redis.getHost(), redis.getPort());
        presence = port.connect();
        if (presence != null) {
            log.info("Redis: the one that answers at {}", port);
            return;
        }
        presence = startAt(port);
        log.info("Redis: an embedded one at {}, shared by all replicas on this machine", port);
    }

    private static boolean isOneServerHere(DataRedisProperties redis) {
        boolean oneServer = redis.getUrl() == null && redis.getSentinel() == null && redis.getCluster() == null;
        return oneServer && THIS_MACHINE.contains(redis.getHost());
    }

    /** Another replica may do the same at this moment. One of the servers gets the port, and either will do. */
    private static Socket startAt(RedisPort port) {
        try {
            Path diary = GuardianProcess.start(port);
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < PATIENCE.toNanos()) {
                Socket connection = port.connect();
                if (connection != null) {
                    return connection;
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
            throw new IllegalStateException(
                    "No Redis answers at " + port + ", and the embedded one did not start within "
                            + PATIENCE.toSeconds() + " s (see " + diary
                            + "). Start a Redis there, or name another place by spring.data.redis.host and spring.data.redis.port");
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "No Redis answers at " + port + " (spring.data.redis.port), and the embedded one can't be started",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while Redis was starting", e);
        }
    }
}
