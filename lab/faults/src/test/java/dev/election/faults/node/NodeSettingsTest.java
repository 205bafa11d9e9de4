package dev.election.faults.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.redis.AcknowledgingReplicas;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NodeSettingsTest {

    @ParameterizedTest
    @MethodSource("addresses")
    void a_node_reads_the_settings_that_it_was_started_with(StoreAddress address) {
        NodeSettings settings =
                new NodeSettings("n1", address, Duration.ofSeconds(4), 7, "jdbc:fence", Duration.ofMillis(-3), 2, true);

        assertThat(NodeSettings.of(settings.arguments().toArray(String[]::new))).isEqualTo(settings);
    }

    static Stream<StoreAddress> addresses() {
        return Stream.of(
                new StoreAddress(StoreAddress.Kind.SERVER, List.of(1)),
                new StoreAddress(StoreAddress.Kind.SENTINELS, List.of(1, 2, 3), AcknowledgingReplicas.of("1")),
                new StoreAddress(StoreAddress.Kind.CLUSTER, List.of(1, 2), AcknowledgingReplicas.of("all")),
                StoreAddress.ofKubernetes(6443, Path.of("folder:with", "colon")));
    }
}
