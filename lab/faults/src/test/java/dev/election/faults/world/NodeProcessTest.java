package dev.election.faults.world;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.election.faults.history.HistoryFile;
import dev.election.faults.node.NodeSettings;
import dev.election.faults.node.StoreAddress;
import dev.election.harness.Children;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kills-processes")
class NodeProcessTest {

    @Test
    void what_is_said_or_done_to_a_node_that_has_just_ended_is_lost(@TempDir Path folder) throws Exception {
        try (Children children = new Children();
                HistoryFile history = new HistoryFile(folder.resolve("history.txt"))) {
            NodeSettings settings = new NodeSettings(
                    "n1",
                    new StoreAddress(StoreAddress.Kind.SERVER, List.of(1)),
                    Duration.ofSeconds(1),
                    1,
                    "fence",
                    Duration.ZERO,
                    1,
                    false);
            NodeProcess node = new NodeProcess(
                    Ended.class.getName(), null, settings, children, history, folder.resolve("node.log"));
            node.awaitEnd();

            assertThatCode(() -> node.send("abdicate")).doesNotThrowAnyException();
            assertThatCode(() -> node.signal("CONT")).doesNotThrowAnyException();
        }
    }

    /** Ends at once. */
    static final class Ended {

        private Ended() {}

        public static void main(String[] arguments) {}
    }
}
