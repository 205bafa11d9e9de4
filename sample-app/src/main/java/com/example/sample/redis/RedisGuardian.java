package com.example.sample.redis;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.embedded.RedisExecProvider;

/** A process that runs a Redis server for as long as anybody is connected to it, and then ends with it. */
public final class RedisGuardian {

    private static final Duration LOOK_EVERY = Duration.ofMillis(250);

    /** Whoever had it started connects as soon as it listens; this bounds the life of one whose starter died before. */
    private static final Duration WAIT_FOR_THE_FIRST = Duration.ofSeconds(30);

    /** Long enough for a lone replica to be started again. */
    private static final Duration WAIT_FOR_THE_NEXT = Duration.ofSeconds(3);

    private final Process redis;
    private final RedisPort port;

    private RedisGuardian(Process redis, RedisPort port) {
        this.redis = redis;
        this.port = port;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        RedisPort port = new RedisPort("127.0.0.1", Integer.parseInt(arguments[0]));
        Process redis = new ProcessBuilder(command(port)).inheritIO().start();
        // However this process ends, but for kill -9, the server does not stay behind.
        Runtime.getRuntime().addShutdownHook(new Thread(redis::destroy));
        new RedisGuardian(redis, port).guard();
    }

    private static List<String> command(RedisPort port) throws IOException {
        return List.of(
                RedisExecProvider.defaultProvider().get().getPath(),
                "--bind",
                port.host(),
                "--port",
                Integer.toString(port.port()),
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                System.getProperty("java.io.tmpdir"));
    }

    /** Returns when nobody needs the server any more, or when it is gone: also when another one has taken the port. */
    private void guard() throws IOException, InterruptedException {
        Socket connection = port.connect();
        while (connection == null) {
            if (redisEndsMeanwhile()) {
                return;
            }
            connection = port.connect();
        }
        try (RedisClients clients = new RedisClients(connection)) {
            watch(clients);
        }
    }

    private void watch(RedisClients clients) throws IOException, InterruptedException {
        Duration patience = WAIT_FOR_THE_FIRST;
        long usedAt = System.nanoTime();
        while (System.nanoTime() - usedAt < patience.toNanos() && !redisEndsMeanwhile()) {
            if (clients.others() > 0) {
                usedAt = System.nanoTime();
                patience = WAIT_FOR_THE_NEXT;
            }
        }
    }

    private boolean redisEndsMeanwhile() throws InterruptedException {
        return redis.waitFor(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }
}
