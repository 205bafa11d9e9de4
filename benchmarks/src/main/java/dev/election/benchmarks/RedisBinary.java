package dev.election.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The Redis server that a library on the class path carries. */
final class RedisBinary {

    static final String VERSION = "7.0.15";

    private RedisBinary() {}

    /** Writes the executable for this machine into the folder. */
    static Path unpackInto(Path folder) throws IOException {
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
