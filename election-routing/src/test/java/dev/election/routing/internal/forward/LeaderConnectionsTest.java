package dev.election.routing.internal.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaderConnectionsTest {

    /**
     * Reactor Netty repeats a request over a connection that was reset before a byte was sent. It would tell nobody, and might change its mind
     * about when that is.
     */
    @Test
    void the_client_library_repeats_nothing() {
        Duration second = Duration.ofSeconds(1);
        try (LeaderConnections connections = new LeaderConnections(second, second, 1, null)) {
            assertThat(connections.client().configuration().isRetryDisabled()).isTrue();
        }
    }
}
