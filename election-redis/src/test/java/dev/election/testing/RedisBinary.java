package dev.election.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** The Redis servers that the build has unpacked from libraries that carry them. */
public enum RedisBinary {
    REDIS_7_0("7.0"),
    REDIS_6_2("6.2");

    private final String folder;

    RedisBinary(String folder) {
        this.folder = folder;
    }

    /** The executable for this machine. */
    public Path path() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String arch = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        Path home = Path.of(System.getProperty("election.test.redis-home", "target/redis"), folder);
        try (Stream<Path> files = Files.list(home)) {
            Path binary = files.filter(file -> file.getFileName().toString().startsWith("redis-server-" + folder))
                    .filter(file -> file.getFileName().toString().endsWith(os + "-" + arch))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "No Redis " + folder + " for " + os + "-" + arch + " in " + home.toAbsolutePath()));
            File file = binary.toFile();
            if (!file.canExecute() && !file.setExecutable(true)) {
                throw new IllegalStateException("Can't make " + binary + " executable");
            }
            return binary.toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Run 'mvn -pl election-redis generate-test-resources' first: it unpacks the Redis servers", e);
        }
    }
}
