package com.example.sample.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
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

    private static final String ACTION =
            "Start a Redis there, or name another place by spring.data.redis.host and spring.data.redis.port";

    /**
     * Held until the process ends, when the kernel closes it: from this the guardian knows that the replica lives. The election's
     * own connection comes later, and goes for a moment whenever it is renewed.
     */
    @SuppressWarnings("unused")
    private @Nullable Socket presence;

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        if (Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
            // A build that prepares the application connects to nothing.
            return;
        }
        DataRedisProperties redis =
                Binder.get(event.getEnvironment()).bindOrCreate("spring.data.redis", DataRedisProperties.class);
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

    private static Socket startAt(RedisPort port) {
        try {
            return await(port, GuardianProcess.start(port));
        } catch (IOException e) {
            throw new UncheckedIOException(absent(port) + "can't be started. " + ACTION, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(absent(port) + "was still starting", e);
        }
    }

    /** Another replica may do the same at this moment. One of the servers gets the port, and either will do. */
    private static Socket await(RedisPort port, GuardianProcess guardian) throws InterruptedException {
        long begun = System.nanoTime();
        boolean hopeless = false;
        while (!hopeless) {
            // Asked before the attempt: a guardian that lost the port to another one has ended, but that one then
            // listens.
            hopeless = guardian.hasEnded() || System.nanoTime() - begun > PATIENCE.toNanos();
            Socket connection = port.connect();
            if (connection != null) {
                return connection;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new IllegalStateException(absent(port) + "did not start (see " + guardian.diary() + "). " + ACTION);
    }

    private static String absent(RedisPort port) {
        return "No Redis answers at " + port + ", and the embedded one ";
    }
}
