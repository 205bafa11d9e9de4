package dev.election.routing.internal;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** Writes problems as responses. */
public final class ProblemResponses {

    private ProblemResponses() {}

    /** Writes it as the whole response. */
    public static Mono<Void> write(Problem problem, ServerHttpResponse response) {
        response.setStatusCode(problem.status());
        response.getHeaders().putAll(problem.headers());
        DataBuffer body = response.bufferFactory().wrap(problem.body());
        return response.writeWith(Mono.just(body));
    }
}
