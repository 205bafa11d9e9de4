package dev.election.playground;

import com.example.sample.redis.RedisServer;
import dev.election.harness.RedisTalk;
import dev.election.harness.TemporaryFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The Redis of all replicas. It may be stopped, and started empty or with the data of an earlier time. */
final class Redis {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final int port;
    private final boolean isOurs;
    private final Path snapshot = TemporaryFolders.create("playground-").resolve("dump.rdb");
    private volatile @Nullable RedisServer server;
    private volatile @Nullable Instant snapshotTaken;

    private Redis(int port, @Nullable RedisServer server) {
        this.port = port;
        this.isOurs = server != null;
        this.server = server;
    }

    static Redis ofOurOwn() throws IOException, InterruptedException {
        RedisServer server = RedisServer.startFrom(6379);
        return new Redis(server.port(), server);
    }

    /** One that is somebody else's, and is left alone. */
    static Redis at(int port) {
        return new Redis(port, null);
    }

    int port() {
        return port;
    }

    /** Whether the playground may stop it. */
    boolean isOurs() {
        return isOurs;
    }

    boolean isRunning() {
        return !isOurs || server != null;
    }

    /** When the data was as the snapshot has it. */
    @Nullable
    Instant snapshotTaken() {
        return snapshotTaken;
    }

    void stop() {
        running().close();
        server = null;
    }

    void startEmpty() throws IOException, InterruptedException {
        start(null);
    }

    void takeSnapshot() throws IOException {
        RedisServer running = running();
        try (RedisTalk talk = new RedisTalk(port, PATIENCE)) {
            talk.ask("SAVE");
        }
        Files.copy(running.folder().resolve("dump.rdb"), snapshot, StandardCopyOption.REPLACE_EXISTING);
        snapshotTaken = Instant.now();
    }

    void startWithSnapshot() throws IOException, InterruptedException {
        if (snapshotTaken == null) {
            throw new IllegalStateException("No snapshot was taken");
        }
        start(snapshot);
    }

    private void start(@Nullable Path data) throws IOException, InterruptedException {
        if (isRunning()) {
            throw new IllegalStateException("Redis runs");
        }
        server = RedisServer.startAt(port, data);
    }

    private RedisServer running() {
        RedisServer running = server;
        if (running == null) {
            throw new IllegalStateException(isOurs ? "Redis does not run" : "This Redis is not the playground's");
        }
        return running;
    }
}
