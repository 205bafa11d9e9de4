package com.example.sample.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import redis.embedded.RedisExecProvider;

/** A Redis that was there before the sample and is none of its business. */
public final class ForeignRedis implements AutoCloseable {

    private final Process process;

    private ForeignRedis(Process process) {
        this.process = process;
    }

    /** Starts one and waits until it answers. */
    public static ForeignRedis startAt(int port) {
        try {
            String binary = RedisExecProvider.defaultProvider().get().getPath();
            ForeignRedis redis = new ForeignRedis(
                    new ProcessBuilder(binary, "--bind", "127.0.0.1", "--port", Integer.toString(port), "--save", "")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start());
            Awaitility.await("Redis at port " + port)
                    .atMost(Duration.ofSeconds(10))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> RedisPeek.process(port).isPresent());
            return redis;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ProcessHandle process() {
        return process.toHandle();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        SampleMachine.awaitEnd(process.toHandle(), Duration.ofSeconds(10));
    }
}
