package dev.election.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** Folders for files of servers, with short paths. They are deleted when the JVM ends: until then a test may want to look at them. */
public final class TemporaryFolders {

    private static final Queue<Path> CREATED = new ConcurrentLinkedQueue<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> CREATED.forEach(TemporaryFolders::delete)));
    }

    private TemporaryFolders() {}

    /** A new one. */
    public static Path create(String prefix) {
        try {
            Path folder = Files.createTempDirectory(prefix);
            CREATED.add(folder);
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(TemporaryFolders::deleteOne);
        } catch (IOException | UncheckedIOException changing) {
            // A server that is just being killed may still write.
        }
    }

    private static void deleteOne(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException changing) {
            // The same.
        }
    }
}
