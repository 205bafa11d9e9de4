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

    private static final Path MEMORY = Path.of("/dev/shm");

    /** A container has 64 MB by default, and one etcd begins with more. */
    private static final long ENOUGH_MEMORY = 4L << 30;

    private TemporaryFolders() {}

    /** A new one. */
    public static Path create(String prefix) {
        try {
            return kept(Files.createTempDirectory(prefix));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A new one in memory, on a machine with room there: a server that waits for its disk at each write is slow without a reason to be. */
    static Path createInMemory(String prefix) {
        try {
            return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > ENOUGH_MEMORY
                    ? kept(Files.createTempDirectory(MEMORY, prefix))
                    : create(prefix);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path kept(Path folder) {
        CREATED.add(folder);
        return folder;
    }

    static void delete(Path folder) {
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
