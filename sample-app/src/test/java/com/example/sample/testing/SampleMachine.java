package com.example.sample.testing;

import com.example.sample.SampleApplication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A Redis port of its own for a test, with all replicas on it. Whatever runs there when the test ends is ended. */
public final class SampleMachine implements AfterEachCallback {

    private final List<SampleProcess> replicas = new ArrayList<>();
    private final int redisPort = Ports.free();

    public int redisPort() {
        return redisPort;
    }

    /** Starts a replica and returns at once. */
    public SampleProcess start(String... properties) {
        return add(SampleProcess.start(redisPort, properties));
    }

    /** Starts a replica as the build has prepared it ahead of time, and returns at once. */
    public SampleProcess startPrepared(String... properties) {
        return add(SampleProcess.start(
                List.of("-Dspring.aot.enabled=true"), SampleApplication.class, redisPort, properties));
    }

    /** Starts a replica that closes itself when it has led, and returns at once. Redis must be there already. */
    public SampleProcess startShortLived(String... properties) {
        return add(SampleProcess.start(List.of(), ShortLivedSample.class, redisPort, properties));
    }

    /** The Redis that answers at the port. */
    public ProcessHandle redis() {
        return RedisPeek.process(redisPort)
                .orElseThrow(() -> new AssertionError("No Redis answers at port " + redisPort + "; " + replicas));
    }

    /** The process that guards that Redis. */
    public ProcessHandle guardian() {
        return redis().parent().orElseThrow();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        replicas.forEach(SampleProcess::close);
        // The guardian has not noticed yet.
        Optional<ProcessHandle> redis = RedisPeek.process(redisPort);
        // One that the test itself has started is the test's to end.
        Optional<ProcessHandle> guardian =
                redis.flatMap(ProcessHandle::parent).filter(parent -> !parent.equals(ProcessHandle.current()));
        guardian.ifPresent(parent -> {
            // Asked, it takes Redis and its files along.
            parent.destroy();
            awaitEnd(parent, Duration.ofSeconds(10));
            redis.ifPresent(server -> awaitEnd(server, Duration.ofSeconds(10)));
        });
    }

    /** Waits until a process, of whomever it is a child, has ended. */
    public static void awaitEnd(ProcessHandle process, Duration within) {
        try {
            process.onExit().get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("Process " + process.pid() + " still runs after " + within, e);
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private SampleProcess add(SampleProcess replica) {
        replicas.add(replica);
        return replica;
    }
}
