package dev.election.faults.world;

import dev.election.harness.RedisProcess;
import dev.election.harness.Wait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;

/**
 * A time of day for one Redis server alone, by a library that stands between a process and the clock. The server that the build
 * brings is linked statically, so that this needs another: {@code -Dfaults.clock.redis} is its path, {@code -Dfaults.clock.preload}
 * names libfaketime, and the C library after it, whose {@code malloc} does not ask for the time as that of jemalloc does.
 */
public final class OwnClock {

    private static final String REDIS = System.getProperty("faults.clock.redis", "");
    private static final String PRELOAD = System.getProperty("faults.clock.preload", "");

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Path file;
    private Duration shift = Duration.ZERO;

    OwnClock(Path folder) {
        if (!isPossible()) {
            throw new IllegalStateException(
                    "A server with a clock of its own needs -Dfaults.clock.redis and -Dfaults.clock.preload:"
                            + " a redis-server that is linked dynamically, and libfaketime and libc");
        }
        file = folder.resolve("clock");
        write(Duration.ZERO);
    }

    /** Whether this machine has what it needs. */
    public static boolean isPossible() {
        return !REDIS.isEmpty() && !PRELOAD.isEmpty();
    }

    /** How much it is off. */
    public Duration shift() {
        return shift;
    }

    /** Changes how much it is off, and waits until that server counts by it, which looks at the clock only ten times a second. */
    public void shift(RedisProcess server, Duration changed) {
        write(changed);
        Wait.until("the clock of the server at port " + server.port(), PATIENCE, () -> {
            String counted = server.text("INFO", "server").replaceAll("(?s).*server_time_usec:(\\d+).*", "$1");
            long expected = System.currentTimeMillis() + changed.toMillis();
            return Math.abs(Long.parseLong(counted) / 1000 - expected) < 1000;
        });
        shift = changed;
    }

    private void write(Duration changed) {
        try {
            // Renamed, so that nobody reads half of it.
            Path next = file.resolveSibling("clock.next");
            Files.writeString(next, String.format("%+d\n", changed.toSeconds()));
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path redis() {
        return Path.of(REDIS);
    }

    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD",
                PRELOAD,
                "FAKETIME_TIMESTAMP_FILE",
                file.toString(),
                "FAKETIME_NO_CACHE",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1");
    }
}
