package dev.election.zookeeper;

import static dev.election.zookeeper.TestEnsemble.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.ZooKeeperServer;
import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Conflict;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordStore.Written;
import dev.election.zookeeper.internal.ZooKeeperRecordStore;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** In every build. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SmokeOnZooKeeperTest {

    @Test
    void a_text_is_written_once_heard_of_at_once_and_deleted() {
        try (ZooKeeperServer server = TestEnsemble.server();
                ZooKeeperRecordStore one = TestEnsemble.records(server.address());
                ZooKeeperRecordStore other = TestEnsemble.records(server.address())) {
            BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
            other.watch("a", heard::add);
            Awaitility.await().until(other::hearsAtOnce);
            Stored first = ((Written) ask(one.replace("a", null, "first"))).stored();
            Awaitility.await().until(() -> heard.stream()
                    .anyMatch(change -> change instanceof Change.Text text
                            && text.read() != null
                            && isFirst(text.read().stored())));
            assertThat(ask(other.replace("a", null, "second")))
                    .isInstanceOfSatisfying(Conflict.class, conflict -> assertThat(isFirst(conflict.current()))
                            .isTrue());
            assertThat(ask(one.delete("a", first))).isInstanceOf(Written.class);
            assertThat(((Read) ask(other.read("a"))).stored()).isNull();
        }
    }

    private static boolean isFirst(Stored stored) {
        return stored != null && stored.text().equals("first");
    }
}
