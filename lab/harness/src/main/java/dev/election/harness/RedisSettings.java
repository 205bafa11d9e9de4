package dev.election.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Settings of a Redis server or Sentinel.
 *
 * @param children with which it ends
 * @param folder its own, for all that it writes
 * @param binary the executable
 * @param port on loopback
 * @param options of its command line; those of a Sentinel begin with the file of its configuration
 * @param environment variables in addition to those of this process
 */
public record RedisSettings(
        Children children, Path folder, Path binary, int port, List<String> options, Map<String, String> environment) {

    /** The server's working folder is its own. */
    public RedisSettings {
        folder = folder.toAbsolutePath();
        options = List.copyOf(options);
    }

    /** At a free port, with a temporary folder. */
    public static RedisSettings of(RedisBinary binary, String... options) {
        return new RedisSettings(
                Children.OF_THIS_JVM,
                TemporaryFolders.create("election-redis-"),
                binary.path(),
                Ports.free(),
                List.of(options),
                Map.of());
    }

    /** At a free port, with a folder of its own in that one. */
    public static RedisSettings in(Path folder, Children children, List<String> options) {
        int port = Ports.free();
        try {
            Path own = Files.createDirectories(folder.resolve("redis-" + port));
            return new RedisSettings(children, own, RedisBinary.REDIS_7_0.path(), port, options, Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** At that port. */
    public RedisSettings at(int chosen) {
        return new RedisSettings(children, folder, binary, chosen, options, environment);
    }

    /** With these options, too. */
    public RedisSettings with(String... more) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of(more));
        return new RedisSettings(children, folder, binary, port, all, environment);
    }

    /** Changes the executable, and sets environment variables for it. */
    public RedisSettings by(Path executable, Map<String, String> variables) {
        return new RedisSettings(children, folder, executable, port, options, variables);
    }

    RedisSettings asSentinel(Path configuration) {
        List<String> all = new ArrayList<>(List.of(configuration.toString(), "--sentinel"));
        all.addAll(options);
        return new RedisSettings(children, folder, binary, port, all, environment);
    }

    boolean isSentinel() {
        return options.contains("--sentinel");
    }

    /** The password of clients; empty if there is none. */
    String password() {
        int option = options.indexOf("--requirepass");
        return option < 0 ? "" : options.get(option + 1);
    }
}
