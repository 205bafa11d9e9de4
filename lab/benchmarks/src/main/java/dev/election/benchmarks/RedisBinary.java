package dev.election.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The Redis server: one of the machine's own if {@value #OWN} names it, or the one that a library on the class path carries. */
final class RedisBinary {

    private static final String OWN = "benchmarks.redis";
    private static final String VERSION = "7.0.15";

    private RedisBinary() {}

    /**
     * The executable.
     *
     * @param folder where one that is carried along is written to
     */
    static Path find(Path folder) throws IOException {
        String own = System.getProperty(OWN);
        if (own == null) {
            return unpackInto(folder);
        }
        if (!Files.isExecutable(Path.of(own))) {
            throw new IllegalArgumentException("Not an executable: " + own + ". Give -D" + OWN
                    + " the path of a redis-server, or leave it out for Redis " + VERSION + ", which comes along");
        }
        return Path.of(own).toAbsolutePath();
    }

    private static Path unpackInto(Path folder) throws IOException {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String arch = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        String name = "redis-server-" + VERSION + "-" + os + "-" + arch;
        Path binary = folder.resolve("redis-server");
        try (InputStream in = RedisBinary.class.getResourceAsStream("/" + name)) {
            if (in == null) {
                throw new IllegalStateException("No " + name + " on the class path");
            }
            Files.copy(in, binary);
        }
        if (!binary.toFile().setExecutable(true)) {
            throw new IllegalStateException("Can't make " + binary + " executable");
        }
        return binary;
    }
}
