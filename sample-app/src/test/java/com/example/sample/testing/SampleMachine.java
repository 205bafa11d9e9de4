package com.example.sample.testing;

import com.example.sample.SampleApplication;
import com.example.sample.replicas.Replicas;
import dev.election.harness.Ports;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import dev.election.harness.RedisTalk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A Redis port of its own for a test, with all replicas on it. They end when the test does. */
public final class SampleMachine implements AfterEachCallback {

    private final List<SampleProcess> replicas = new ArrayList<>();
    private final int redisPort = Ports.free();

    public int redisPort() {
        return redisPort;
    }

    /** Starts a Redis that is there before the replicas and none of their business. */
    public RedisProcess startForeignRedis() {
        return new RedisProcess(RedisSettings.of(RedisBinary.REDIS_7_0).at(redisPort));
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

    /** Starts the launcher of several replicas, with a Redis at another port, and returns at once. */
    public SampleProcess launch(String... arguments) {
        return add(SampleProcess.run(launcher(arguments)));
    }

    /** The same, as a child of a process that does nothing else, such as Maven. */
    public SampleProcess launchByAnother(String... arguments) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\"; exit", "sh"));
        command.addAll(launcher(arguments));
        return add(SampleProcess.run(command));
    }

    /** With the options of {@code mvn spring-boot:run}. */
    private static List<String> launcher(String... arguments) {
        List<String> options =
                List.of(System.getProperty("launcher.jvmArguments").split(" "));
        return SampleProcess.command(options, Replicas.class, List.of(arguments));
    }

    /** The Redis that answers at the port. */
    public ProcessHandle redis() {
        return redisAt(redisPort)
                .orElseThrow(() -> new AssertionError("No Redis answers at port " + redisPort + "; " + replicas));
    }

    /** The process of the Redis that answers at this port; empty if none does, also if it ends while it is asked. */
    public static Optional<ProcessHandle> redisAt(int port) {
        try (RedisTalk talk = new RedisTalk(port, Duration.ofSeconds(5))) {
            return talk.ask("INFO", "server")
                    .toString()
                    .lines()
                    .filter(line -> line.startsWith("process_id:"))
                    .map(line -> Long.parseLong(
                            line.substring("process_id:".length()).strip()))
                    .findFirst()
                    .flatMap(ProcessHandle::of);
        } catch (SocketTimeoutException | RedisTalk.RefusedException silentOrRefused) {
            throw new UncheckedIOException(silentOrRefused);
        } catch (IOException nobodyThere) {
            return Optional.empty();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Optional<ProcessHandle> redis = redisAt(redisPort);
        replicas.forEach(SampleProcess::close);
        // One that a replica has started ends with it.
        redis.filter(server -> replicas.stream().anyMatch(SampleProcess::hasStartedRedis))
                .ifPresent(server -> awaitEnd(server, Duration.ofSeconds(10)));
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
