package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.FolderRecordStore;
import dev.election.record.RecordStore;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lock of {@link FolderRecordStore} is one between processes; the contract uses one process. */
class FolderOfTwoProcessesTest {

    @Test
    void processes_do_not_overwrite_what_the_other_has_written(@TempDir Path folder)
            throws IOException, InterruptedException {
        Process one = count(folder);
        Process other = count(folder);

        assertThat(one.waitFor()).isZero();
        assertThat(other.waitFor()).isZero();
        try (FolderRecordStore store = new FolderRecordStore(folder)) {
            assertThat(Counting.in(store)).isEqualTo(2 * Counting.TIMES);
        }
    }

    private static Process count(Path folder) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Counting.class.getName(),
                        folder.toString())
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
}
