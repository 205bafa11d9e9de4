package dev.election.routing.internal.servlet;

import dev.election.routing.internal.forward.Forwarder;
import dev.election.routing.internal.forward.Incoming;
import dev.election.routing.internal.forward.RequestBody;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.http.server.reactive.ServletHttpHandlerAdapter;
import reactor.core.publisher.Mono;

/** Forwards requests by the non-blocking I/O of the container. It is called by the filter, and registered nowhere. */
final class ForwardingServlet extends ServletHttpHandlerAdapter {

    ForwardingServlet(Supplier<Forwarder> forwarder) {
        super((request, response) -> handle(forwarder.get(), request, response));
        init(ofAllPaths());
    }

    /**
     * Fails if the body has failed, although the request has an answer then, so that the container ends the request by a dispatch and not
     * by a mere completion. Tomcat writes its own error page to such a request. If the connection turns out to be closed during a
     * completion, Tomcat counts the request as under way for ever, and a graceful shutdown waits for it.
     */
    private static Mono<Void> handle(Forwarder forwarder, ServerHttpRequest request, ServerHttpResponse response) {
        ForwardedRequest forwarded = ServerHttpRequestDecorator.getNativeRequest(request);
        ServletBody body = forwarded.body();
        // Behind the adapter, which listens for writes: a body that fails at once can be answered then.
        body.listen();
        Mono<Void> left = Mono.fromFuture(body::leave);
        // The container first calls when its thread has left the filters. Until then they may write headers.
        Mono<RequestBody> whenCalled = Mono.fromFuture(body.called()).then(forwarded.requestBody());
        Mono<Void> answered = forwarder.forward(
                new Incoming(request, response, forwarded.getQueryString(), forwarded.prefix(), whenCalled, () -> {
                    forwarded.clearResponse();
                    // The leader may have sent headers, and then ended its response before the body.
                    response.getHeaders().clear();
                }),
                forwarded.to(),
                forwarded.leader());
        // The answer to a HEAD has no body with which its headers would be sent.
        Mono<Void> sent = ServerHttpResponseDecorator.<HttpServletResponse>getNativeResponse(response)
                        instanceof BodilessResponse bodiless
                ? answered.then(Mono.defer(response::setComplete)).then(Mono.fromCallable(bodiless::sent))
                : answered;
        return sent.onErrorResume(failure -> left.then(Mono.error(failure)))
                .then(left)
                .doOnCancel(body::cancel);
    }

    /** The adapter asks under which path it is registered. */
    private static ServletConfig ofAllPaths() {
        return (ServletConfig) Proxy.newProxyInstance(
                ForwardingServlet.class.getClassLoader(),
                new Class<?>[] {ServletConfig.class, ServletContext.class, ServletRegistration.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getServletName" -> "election-routing";
                    case "getMappings" -> Set.of("/");
                    case "getServletContext", "getServletRegistration" -> proxy;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
