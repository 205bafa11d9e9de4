package dev.election.routing.internal.forward;

import dev.election.routing.internal.decision.Problem;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** Writes problems as responses. */
public final class ProblemResponses {

    private ProblemResponses() {}

    /** Writes it as the whole response, at once: Tomcat drops what is not flushed when the request has failed. */
    public static Mono<Void> write(Problem problem, ServerHttpResponse response) {
        response.setStatusCode(problem.status());
        response.getHeaders().putAll(problem.headers());
        DataBuffer body = response.bufferFactory().wrap(problem.body());
        return response.writeAndFlushWith(Mono.just(Mono.just(body)));
    }
}
