package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.FolderRecordStore;
import dev.election.harness.Children;
import dev.election.harness.JvmProcess;
import dev.election.record.RecordStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lock of {@link FolderRecordStore} is one between processes; the contract uses one process. */
class FolderOfTwoProcessesTest {

    private static final Duration LONGEST = Duration.ofMinutes(3);

    @Test
    void processes_do_not_overwrite_what_the_other_has_written(@TempDir Path folder) throws IOException {
        JvmProcess one = count(folder);
        JvmProcess other = count(folder);

        assertThat(one.awaitEnd(LONGEST)).isZero();
        assertThat(other.awaitEnd(LONGEST)).isZero();
        try (FolderRecordStore store = new FolderRecordStore(folder)) {
            assertThat(Counting.in(store)).isEqualTo(2 * Counting.TIMES);
        }
    }

    private static JvmProcess count(Path folder) {
        return new JvmProcess(
                "counting",
                Children.OF_THIS_JVM,
                JvmProcess.builder(List.of(), Counting.class, List.of(folder.toString()))
                        .inheritIO());
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
