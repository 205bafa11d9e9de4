package dev.election.benchmarks;

import dev.election.harness.Children;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The Redis that is measured: one of the machine's own if {@value #OWN} names it, or the one that comes along. */
final class ObservedRedis extends RedisProcess {

    private static final String OWN = "benchmarks.redis";

    private ObservedRedis(RedisSettings settings) {
        super(settings);
    }

    /** Starts one that keeps nothing on disk. */
    static ObservedRedis start(Path folder, Children children) {
        RedisSettings settings = RedisSettings.in(folder, children, List.of());
        String own = System.getProperty(OWN);
        if (own == null) {
            return new ObservedRedis(settings);
        }
        Path binary = Path.of(own).toAbsolutePath();
        if (!Files.isExecutable(binary)) {
            throw new IllegalArgumentException("Not an executable: " + own + ". Give -D" + OWN
                    + " the path of a redis-server, or leave it out for the one that comes along");
        }
        return new ObservedRedis(settings.by(binary, Map.of()));
    }

    /** Talks to the server over a connection of its own, which carries the name {@code observer}. */
    <T> T observe(Function<RedisCommands<String, String>, T> observation) {
        RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port()));
        try (var connection = client.connect()) {
            connection.sync().clientSetname("observer");
            return observation.apply(connection.sync());
        } finally {
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }
}
