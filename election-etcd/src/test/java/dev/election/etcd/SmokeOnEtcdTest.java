package dev.election.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.etcd.internal.EtcdRecordStore;
import dev.election.harness.EtcdServer;
import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Conflict;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordStore.Written;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** In every build, where an etcd is installed. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@EnabledIf("dev.election.harness.EtcdServer#isInstalled")
class SmokeOnEtcdTest {

    private static <T> T ask(CompletionStage<T> answer) {
        return answer.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Test
    void a_text_is_written_once_heard_of_at_once_and_deleted() {
        try (EtcdServer server = new EtcdServer();
                EtcdRecordStore one = TestStore.over(server);
                EtcdRecordStore other = TestStore.over(server)) {
            BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
            other.watch("a", heard::add);
            Awaitility.await().until(other::hearsAtOnce);
            Stored first = ((Written) ask(one.replace("a", null, "first"))).stored();
            Awaitility.await().until(() -> heard.stream()
                    .anyMatch(change -> change instanceof Change.Text text
                            && text.read() != null
                            && first.equals(text.read().stored())));
            assertThat(ask(other.replace("a", null, "second")))
                    .isInstanceOfSatisfying(Conflict.class, conflict -> assertThat(conflict.current())
                            .isEqualTo(first));
            assertThat(ask(one.delete("a", first))).isInstanceOf(Written.class);
            assertThat(((Read) ask(other.read("a"))).stored()).isNull();
        }
    }
}
