package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.routing.internal.decision.RoutedElection;
import dev.election.routing.internal.decision.RoutingDecision;
import dev.election.routing.internal.forward.Forwarder;
import dev.election.routing.internal.forward.Incoming;
import dev.election.routing.internal.forward.LeaderConnections;
import dev.election.routing.internal.forward.RequestBody;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.PooledDataBuffer;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import reactor.core.publisher.Flux;

/** A response that is written by the buffers of a servlet container. */
class RelayedToServletsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Spring's adapter for servlets may release a part twice, on two threads. */
    @Test
    void no_part_is_counted_by_netty() throws Exception {
        List<DataBuffer> written = new CopyOnWriteArrayList<>();
        MockServerHttpResponse response = new MockServerHttpResponse();
        response.setWriteHandler(parts -> parts.doOnNext(written::add).then());
        try (Impostor leader = new Impostor();
                LeaderConnections connections = new LeaderConnections(PATIENCE, PATIENCE, 1, null)) {
            leader.answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody");
            // No other leader is looked for.
            new Forwarder(null, connections, false, (to, outcome, took) -> {})
                    .forward(
                            new Incoming(
                                    MockServerHttpRequest.get("/x").build(),
                                    response,
                                    null,
                                    "",
                                    RequestBody.empty(),
                                    () -> {}),
                            new RoutedElection("orders", RoutingMode.FORWARD),
                            new RoutingDecision.OnLeader(
                                    "orders", "leader", new FencingToken(1), URI.create(leader.uri()), null))
                    .block(PATIENCE);
        }
        assertThat(written).isNotEmpty().noneMatch(PooledDataBuffer.class::isInstance);
        assertThat(DataBufferUtils.join(Flux.fromIterable(written))
                        .map(all -> all.toString(StandardCharsets.UTF_8))
                        .block())
                .isEqualTo("body");
    }
}
