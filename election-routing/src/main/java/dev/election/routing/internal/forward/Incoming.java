package dev.election.routing.internal.forward;

import dev.election.routing.internal.decision.RoutedElection;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A request that is forwarded.
 *
 * @param to whose leader serves it
 * @param request of the client
 * @param response to the client
 * @param query as it came, {@code null} if there is none. The adapter for servlets encodes one that is not valid again, with all that is
 *     encoded already
 * @param prefix of the path that a proxy has removed and told, empty if none
 * @param isEmpty whether it is known to have no body. Over HTTP/2 no header says so
 * @param form the body, in ASCII, if it was a form that something has read before, {@code null} if it can be read
 * @param clear removes what filters have set in the response: that of the leader is complete
 * @param ready completes when the response may be written
 * @param body as it comes; fails when it can't be read to its end
 */
public record Incoming(
        RoutedElection to,
        ServerHttpRequest request,
        ServerHttpResponse response,
        @Nullable String query,
        String prefix,
        boolean isEmpty,
        @Nullable String form,
        Runnable clear,
        Mono<Void> ready,
        Flux<DataBuffer> body) {}
