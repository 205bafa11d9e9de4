package dev.election.routing.internal.reactive;

import dev.election.CurrentWork;
import dev.election.LeaderWork;
import dev.election.routing.internal.decision.Answers;
import dev.election.routing.internal.decision.Hop;
import dev.election.routing.internal.decision.LeaderRouting;
import dev.election.routing.internal.decision.Problem;
import dev.election.routing.internal.decision.RoutedElection;
import dev.election.routing.internal.decision.RoutingDecision;
import dev.election.routing.internal.decision.RoutingObserver;
import dev.election.routing.internal.forward.Forwarder;
import dev.election.routing.internal.forward.Incoming;
import dev.election.routing.internal.forward.ProblemResponses;
import dev.election.routing.internal.forward.RelayedParts;
import dev.election.routing.internal.forward.RequestBody;
import dev.election.routing.internal.leader.LostResponse;
import dev.election.routing.internal.leader.RunningRequests;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * Lets only the leader serve some requests. It stands behind the filter of Spring Security, so that a request that is not allowed is refused
 * before it is forwarded.
 */
public final class LeaderWebFilter implements WebFilter {

    /** Without a header that says otherwise. Netty sets one also for a body over HTTP/2. */
    private static final Set<HttpMethod> USUALLY_EMPTY =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.DELETE, HttpMethod.OPTIONS);

    /** How often a response is looked at that is being committed when its leadership ends. */
    private static final Duration COMMITTING = Duration.ofMillis(10);

    /** How long it is waited for, at most. */
    private static final Duration LONGEST_COMMIT = Duration.ofSeconds(5);

    private final ReactiveRoutes routes;
    private final Supplier<LeaderRouting> routing;
    private final RunningRequests running;
    private final Supplier<Forwarder> forwarder;
    private final RoutingObserver observer;
    private final String basePath;

    /**
     * @param routes which requests are routed
     * @param routing decides where they are served
     * @param running the requests that this node serves as the leader
     * @param forwarder sends the others to the leader
     * @param observer is told of each
     * @param basePath of the application, without a slash at its end, empty if it has none
     */
    public LeaderWebFilter(
            ReactiveRoutes routes,
            Supplier<LeaderRouting> routing,
            RunningRequests running,
            Supplier<Forwarder> forwarder,
            RoutingObserver observer,
            String basePath) {
        this.routes = routes;
        this.routing = routing;
        this.running = running;
        this.forwarder = forwarder;
        this.observer = observer;
        this.basePath = basePath;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (routes.isEmpty()) {
            return chain.filter(exchange);
        }
        return routes.find(exchange)
                .map(to -> route(to, exchange, chain))
                .defaultIfEmpty(chain.filter(exchange))
                .flatMap(served -> served);
    }

    private Mono<Void> route(RoutedElection to, ServerWebExchange exchange, WebFilterChain chain) {
        long begun = System.nanoTime();
        return decide(to, exchange.getRequest()).flatMap(decision -> carryOut(decision, to, exchange, chain, begun));
    }

    private Mono<RoutingDecision> decide(RoutedElection to, ServerHttpRequest request) {
        String hop = request.getHeaders().getFirst(Hop.HEADER);
        if (hop != null) {
            return Mono.fromSupplier(() -> routing.get().decide(to.election(), hop))
                    .doOnDiscard(RoutingDecision.Here.class, LeaderWebFilter::end);
        }
        return Mono.defer(() -> {
                    CompletableFuture<RoutingDecision> decision = routing.get().decide(to.election());
                    // A client that is gone already asks for nothing, and nothing is discarded then.
                    Mono<RoutingDecision> awaited = Mono.fromFuture(decision).doOnCancel(() -> {
                        var unused = decision.thenAccept(LeaderWebFilter::end);
                    });
                    // What has been waited for is told on a thread of the elections.
                    return decision.isDone() ? awaited : awaited.publishOn(Schedulers.parallel());
                })
                .onErrorResume(
                        TimeoutException.class,
                        nobody -> Mono.fromSupplier(
                                () -> new RoutingDecision.Nowhere(routing.get().nobodyLed(to.election()))))
                .doOnDiscard(RoutingDecision.Here.class, LeaderWebFilter::end);
    }

    /** Nobody serves the request. */
    private static void end(RoutingDecision decision) {
        if (decision instanceof RoutingDecision.Here here) {
            here.work().close();
        }
    }

    private Mono<Void> carryOut(
            RoutingDecision decision, RoutedElection to, ServerWebExchange exchange, WebFilterChain chain, long begun) {
        if (decision instanceof RoutingDecision.Here here) {
            observer.routed(to, RoutingObserver.LOCAL, since(begun));
            return serve(here.work(), exchange, chain);
        }
        if (decision instanceof RoutingDecision.Nowhere nowhere) {
            return refuse(to, nowhere.problem(), exchange, begun);
        }
        RoutingDecision.OnLeader leader = (RoutingDecision.OnLeader) decision;
        ServerHttpRequest request = exchange.getRequest();
        return Answers.answer(
                        to.mode(),
                        leader,
                        request.getHeaders().getFirst(HttpHeaders.UPGRADE),
                        belowPublicUri(request),
                        request.getURI().getRawQuery())
                .map(problem -> refuse(to, problem, exchange, begun))
                .orElseGet(() -> forward(to, leader, exchange, begun));
    }

    /** The work is that of the thread that subscribes, as a handler expects, and of the context for guarded publishers. */
    private Mono<Void> serve(LeaderWork work, ServerWebExchange exchange, WebFilterChain chain) {
        Sinks.Empty<Void> lost = Sinks.empty();
        CurrentWork current;
        try (LeaderWork.Scope scope = work.onThisThread()) {
            current = CurrentWork.get();
        }
        Mono<Void> handled = Mono.fromDirect(subscriber -> {
            try (LeaderWork.Scope scope = current.onThisThread()) {
                chain.filter(exchange).subscribe(subscriber);
            }
        });
        running.begun(work, lost::tryEmitEmpty);
        ServerHttpResponse response = exchange.getResponse();
        // If takeUntilOther ended by an error, it would not cancel the handler.
        Mono<Void> ended =
                lost.asMono().then(Mono.defer(() -> committing(response))).then(Mono.defer(() -> end(work, response)));
        return Mono.firstWithSignal(handled, ended)
                .onErrorResume(
                        LostResponse.class,
                        lostResponse -> response.isCommitted()
                                ? Mono.error(lostResponse)
                                : ProblemResponses.write(
                                        Answers.leadershipLost(work.election().name()), response))
                .doFinally(end -> running.ended(work))
                .contextWrite(context -> context.put(CurrentWork.class, current));
    }

    /**
     * Completes when the response is not being committed. If what is done at that time, such as saving a session, were given up, no other response could be
     * written: the client would take an empty one for the whole.
     */
    private static Mono<Void> committing(ServerHttpResponse response) {
        return isBeingCommitted(response)
                ? Flux.interval(COMMITTING)
                        .takeWhile(look -> isBeingCommitted(response))
                        .take(LONGEST_COMMIT)
                        // A short response that is on its way now is written until then.
                        .then(Mono.delay(COMMITTING))
                        .then()
                : Mono.empty();
    }

    /** Whether headers can't be set any more, and are not sent: Spring makes them read-only then. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isBeingCommitted(ServerHttpResponse response) {
        HttpHeaders headers = response.getHeaders();
        return response.isCommitted() && HttpHeaders.readOnlyHttpHeaders(headers) != headers;
    }

    private static Mono<Void> end(LeaderWork work, ServerHttpResponse response) {
        return LostResponse.isStream(response.getHeaders().getFirst(HttpHeaders.CONTENT_TYPE))
                ? Mono.empty()
                : Mono.error(new LostResponse(work.election().name()));
    }

    private Mono<Void> refuse(RoutedElection to, Problem problem, ServerWebExchange exchange, long begun) {
        observer.routed(to, problem.outcome(), since(begun));
        return ProblemResponses.write(problem, exchange.getResponse());
    }

    private Mono<Void> forward(
            RoutedElection to, RoutingDecision.OnLeader leader, ServerWebExchange exchange, long begun) {
        MediaType type = exchange.getRequest().getHeaders().getContentType();
        if (type == null || !MediaType.APPLICATION_FORM_URLENCODED.includes(type)) {
            return forwardUnread(to, leader, exchange, begun);
        }
        // A filter may have read the form. The exchange has kept it then.
        Charset charset = type.getCharset() == null ? StandardCharsets.UTF_8 : type.getCharset();
        return exchange.getFormData()
                .flatMap(form -> forward(to, leader, exchange, RequestBody.form(encode(form, charset))));
    }

    /** Connects to the leader when the first part of the body has come. A body that a filter has read has none: the request is refused. */
    private Mono<Void> forwardUnread(
            RoutedElection to, RoutingDecision.OnLeader leader, ServerWebExchange exchange, long begun) {
        HttpHeaders headers = exchange.getRequest().getHeaders();
        boolean isExpected = headers.getContentLength() > 0;
        if (!isExpected && !headers.containsHeader(HttpHeaders.TRANSFER_ENCODING)) {
            boolean isEmpty = headers.getContentLength() == 0
                    || USUALLY_EMPTY.contains(exchange.getRequest().getMethod());
            return forward(
                    to,
                    leader,
                    exchange,
                    isEmpty
                            ? RequestBody.empty()
                            : RequestBody.of(exchange.getRequest().getBody(), headers.getContentLength()));
        }
        RelayedParts parts = new RelayedParts();
        return exchange.getRequest()
                .getBody()
                .map(parts::add)
                .switchOnFirst((first, body) ->
                        (isExpected && first.isOnComplete()) || first.getThrowable() instanceof IllegalStateException
                                ? refuse(to, Answers.bodyIsGone(leader), exchange, begun)
                                : forward(
                                        to,
                                        leader,
                                        exchange,
                                        RequestBody.of(body.mapNotNull(Supplier::get), headers.getContentLength())))
                .doFinally(how -> parts.end())
                .then();
    }

    private Mono<Void> forward(
            RoutedElection to, RoutingDecision.OnLeader leader, ServerWebExchange exchange, Mono<RequestBody> body) {
        ServerHttpResponse response = exchange.getResponse();
        return forwarder
                .get()
                .forward(
                        new Incoming(
                                exchange.getRequest(),
                                response,
                                exchange.getRequest().getURI().getRawQuery(),
                                prefix(exchange.getRequest()),
                                body,
                                () -> clear(response.getHeaders())),
                        to,
                        leader);
    }

    /** Returns the prefix of a proxy, which Spring puts in the place of the base path, or before it. */
    private String prefix(ServerHttpRequest request) {
        String path = request.getPath().contextPath().value();
        return path.endsWith(basePath) ? path.substring(0, path.length() - basePath.length()) : path;
    }

    /** The base path is part of the application, and a prefix is part of the public URI. */
    private String belowPublicUri(ServerHttpRequest request) {
        return basePath + request.getPath().pathWithinApplication().value();
    }

    /** Netty says there how the body is sent. */
    private static void clear(HttpHeaders headers) {
        List.copyOf(headers.headerNames()).stream()
                .filter(name -> !name.equalsIgnoreCase(HttpHeaders.TRANSFER_ENCODING))
                .forEach(headers::remove);
    }

    private static String encode(MultiValueMap<String, String> form, Charset charset) {
        StringJoiner body = new StringJoiner("&");
        form.forEach((name, values) -> values.forEach(value -> body.add(
                URLEncoder.encode(name, charset) + (value == null ? "" : "=" + URLEncoder.encode(value, charset)))));
        return body.toString();
    }

    private static Duration since(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun);
    }
}
