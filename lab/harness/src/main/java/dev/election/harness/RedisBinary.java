package dev.election.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The Redis servers that come along, for each machine that the build runs on. */
public enum RedisBinary {
    REDIS_7_0("7.0.15"),
    REDIS_6_2("6.2.6-v5 6.2.7");

    private static final Map<RedisBinary, Path> UNPACKED = new ConcurrentHashMap<>();

    /** Not each is there for each machine. */
    private final String versions;

    RedisBinary(String versions) {
        this.versions = versions;
    }

    /** The executable for this machine, which is written to a temporary folder once. */
    public Path path() {
        return UNPACKED.computeIfAbsent(this, RedisBinary::unpack);
    }

    private Path unpack() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String arch = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        for (String version : versions.split(" ", -1)) {
            String name = "redis-server-" + version + "-" + os + "-" + arch;
            try (InputStream in = RedisBinary.class.getResourceAsStream("/" + name)) {
                if (in != null) {
                    Path binary = TemporaryFolders.create("election-binary-").resolve(name);
                    Files.copy(in, binary);
                    if (!binary.toFile().setExecutable(true)) {
                        throw new IllegalStateException("Can't make " + binary + " executable");
                    }
                    return binary;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new IllegalStateException("No Redis " + versions + " for " + os + "-" + arch
                + " on the class path. 'mvn -pl lab/harness process-resources' unpacks the servers");
    }
}
