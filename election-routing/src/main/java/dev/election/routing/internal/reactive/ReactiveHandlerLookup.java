package dev.election.routing.internal.reactive;

import java.util.List;
import java.util.function.Supplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Finds the handler of a request before the dispatcher does. */
public final class ReactiveHandlerLookup {

    private final Supplier<List<RequestMappingHandlerMapping>> mappings;

    /** Looks in these mappings. */
    public ReactiveHandlerLookup(Supplier<List<RequestMappingHandlerMapping>> mappings) {
        this.mappings = mappings;
    }

    /** Empty if WebFlux would call no method. What it would refuse, it refuses itself. */
    Mono<HandlerMethod> find(ServerWebExchange exchange) {
        return Flux.fromIterable(mappings.get())
                .concatMap(mapping -> mapping.getHandlerInternal(exchange).onErrorComplete())
                .next();
    }
}
