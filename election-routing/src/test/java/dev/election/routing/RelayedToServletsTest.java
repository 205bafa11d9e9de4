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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.PooledDataBuffer;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A response that is written by the buffers of a servlet container. */
class RelayedToServletsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @AutoClose
    private final Impostor leader = new Impostor();

    @AutoClose
    private final LeaderConnections connections = new LeaderConnections(PATIENCE, PATIENCE, 1, null);

    /** Spring's adapter for servlets may release a part twice, on two threads. */
    @Test
    void no_part_is_counted_by_netty() throws Exception {
        List<DataBuffer> written = new CopyOnWriteArrayList<>();
        MockServerHttpResponse response = new MockServerHttpResponse();
        response.setWriteHandler(parts -> parts.doOnNext(written::add).then());
        leader.answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody");
        forward(response).block(PATIENCE);
        assertThat(written).isNotEmpty().noneMatch(PooledDataBuffer.class::isInstance);
        assertThat(DataBufferUtils.join(Flux.fromIterable(written))
                        .map(all -> all.toString(StandardCharsets.UTF_8))
                        .block())
                .isEqualTo("body");
    }

    /** Spring's adapter for servlets answers 500 if the container has not written the first part. */
    @Test
    void an_early_end_is_told_when_what_came_before_it_is_written() throws Exception {
        CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> written = new CompletableFuture<>();
        leader.behave(connection -> {
            connection
                    .getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n"
                            .getBytes(StandardCharsets.ISO_8859_1));
            connection.close();
            closed.complete(null);
        });
        CompletableFuture<@Nullable Void> cut = forward(new MockServerHttpResponse() {
                    @Override
                    protected Mono<Void> writeAndFlushWithInternal(
                            Publisher<? extends Publisher<? extends DataBuffer>> parts) {
                        // Asks for the next part when one is written.
                        return Flux.from(parts)
                                .concatMap(part -> Flux.from(part).then(Mono.fromFuture(written)), 0)
                                .then();
                    }
                })
                .toFuture();
        // There is one connection: the next request gets one when the end of the first has been heard.
        assertThat(closed).succeedsWithin(PATIENCE);
        leader.answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        forward(new MockServerHttpResponse()).block(PATIENCE);
        assertThat(cut).isNotDone();

        written.complete(null);
        assertThat(cut).failsWithin(PATIENCE);
    }

    private Mono<Void> forward(MockServerHttpResponse response) {
        // No other leader is looked for.
        return new Forwarder(null, connections, false, (to, outcome, took) -> {})
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
                                "orders", "leader", new FencingToken(1), URI.create(leader.uri()), null));
    }
}
