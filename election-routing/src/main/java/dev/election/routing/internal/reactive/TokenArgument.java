package dev.election.routing.internal.reactive;

import dev.election.CurrentWork;
import dev.election.FencingToken;
import dev.election.routing.internal.leader.NoToken;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The fencing token of a request that only the leader may serve, as an argument of its handler. */
public final class TokenArgument implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == FencingToken.class;
    }

    @Override
    public Mono<Object> resolveArgument(MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
        return Mono.deferContextual(context -> Mono.just(context.<CurrentWork>getOrEmpty(CurrentWork.class)
                .flatMap(CurrentWork::token)
                .orElseThrow(() -> new NoToken(parameter))));
    }
}
