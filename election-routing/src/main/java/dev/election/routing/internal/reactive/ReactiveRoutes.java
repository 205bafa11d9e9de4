package dev.election.routing.internal.reactive;

import dev.election.routing.internal.decision.RoutedElection;
import dev.election.routing.internal.decision.Routes;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Finds whose leader serves a request, by its handler, which is looked for before the dispatcher does, or its path. */
public final class ReactiveRoutes {

    private final Routes routes;
    private final Supplier<List<RequestMappingHandlerMapping>> mappings;

    /**
     * Creates the lookup.
     *
     * @param routes which requests are routed
     * @param mappings in which it looks for handlers
     */
    public ReactiveRoutes(Routes routes, Supplier<List<RequestMappingHandlerMapping>> mappings) {
        this.routes = routes;
        this.mappings = mappings;
    }

    /** Whether any request is routed. */
    boolean isEmpty() {
        return routes.isEmpty();
    }

    /** Returns the election whose leader serves the request, empty if anybody may. */
    Mono<RoutedElection> find(ServerWebExchange exchange) {
        Mono<RoutedElection> ofHandler = routes.hasHandlers()
                ? handler(exchange).flatMap(found -> Mono.justOrEmpty(routes.of(found)))
                : Mono.empty();
        return ofHandler.switchIfEmpty(Mono.fromSupplier(
                () -> routes.of(List.of(exchange.getRequest().getPath().pathWithinApplication()))
                        .orElse(null)));
    }

    /** Empty if WebFlux would call no method. What it would refuse, it refuses itself. */
    private Mono<HandlerMethod> handler(ServerWebExchange exchange) {
        return Flux.fromIterable(mappings.get())
                .concatMap(mapping -> mapping.getHandlerInternal(exchange).onErrorComplete())
                .next();
    }
}
