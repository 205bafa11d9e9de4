package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.record.RecordStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderRecordStoreTest extends RecordStoreContract {

    @TempDir
    Path parent;

    private FolderRecordStore store;

    @BeforeEach
    void open() throws IOException {
        store = new FolderRecordStore(Files.createDirectory(parent.resolve("elections")));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    protected RecordStore store() {
        return store;
    }

    /** A backup of the folder. */
    @Override
    protected Optional<Standby> standby() {
        return Optional.of(new Standby() {
            @Override
            public void detach() {
                copy(parent.resolve("elections"), parent.resolve("backup"));
            }

            @Override
            public void promote() {
                move("elections", "lost");
                move("backup", "elections");
            }
        });
    }

    @Test
    void processes_do_not_overwrite_what_the_other_has_written() throws IOException, InterruptedException {
        Process one = count();
        Process other = count();

        assertThat(one.waitFor()).isZero();
        assertThat(other.waitFor()).isZero();
        assertThat(Counting.in(store)).isEqualTo(2 * Counting.TIMES);
    }

    private Process count() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Counting.class.getName(),
                        parent.resolve("elections").toString())
                .inheritIO()
                .start();
    }

    /** A process that counts in one text. */
    static final class Counting {

        static final int TIMES = 200;

        private static final String KEY = "count";

        private Counting() {}

        public static void main(String[] folder) {
            try (FolderRecordStore store = new FolderRecordStore(Path.of(folder[0]))) {
                for (int counted = 0; counted < TIMES; ) {
                    RecordStore.Stored before = read(store);
                    String next = Integer.toString(before == null ? 1 : Integer.parseInt(before.text()) + 1);
                    if (store.replace(KEY, before, next).toCompletableFuture().join() instanceof RecordStore.Written) {
                        counted++;
                    }
                }
            }
        }

        static int in(RecordStore store) {
            RecordStore.Stored stored = read(store);
            return stored == null ? 0 : Integer.parseInt(stored.text());
        }

        private static RecordStore.@Nullable Stored read(RecordStore store) {
            return ((RecordStore.Read) store.read(KEY).toCompletableFuture().join()).stored();
        }
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.list(from)) {
            Files.createDirectory(to);
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void move(String from, String to) {
        try {
            Files.move(parent.resolve(from), parent.resolve(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
