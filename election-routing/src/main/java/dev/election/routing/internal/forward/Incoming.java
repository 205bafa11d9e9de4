package dev.election.routing.internal.forward;

import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/**
 * A request that is forwarded.
 *
 * @param request of the client
 * @param response to the client
 * @param query as it came, {@code null} if there is none. The adapter for servlets encodes one that is not valid again, with all that is
 *     encoded already
 * @param prefix of the path that a proxy has removed and told, empty if none
 * @param body which is sent
 * @param clear removes what filters have set in the response: that of the leader is complete
 */
public record Incoming(
        ServerHttpRequest request,
        ServerHttpResponse response,
        @Nullable String query,
        String prefix,
        Mono<RequestBody> body,
        Runnable clear) {}
