package dev.election.routing.internal.forward;

import dev.election.routing.internal.decision.Answers;
import dev.election.routing.internal.decision.Hop;
import dev.election.routing.internal.decision.LeaderRouting;
import dev.election.routing.internal.decision.MemberUris;
import dev.election.routing.internal.decision.Problem;
import dev.election.routing.internal.decision.RoutedElection;
import dev.election.routing.internal.decision.RoutingDecision;
import dev.election.routing.internal.decision.RoutingObserver;
import io.netty.handler.timeout.TimeoutException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClientRequest;

/**
 * Sends requests to the leader, and its responses to the clients, without gathering either.
 *
 * <p>A request is carried out at most once: nothing is sent again after a byte of it was sent, unless the receiver has said that it has refused
 * the request as it does not lead.
 */
public final class Forwarder {

    private static final Logger log = LoggerFactory.getLogger(Forwarder.class);

    /** After a response to it, the client library would understand no other one over that connection. */
    private static final HttpMethod CONNECT = HttpMethod.valueOf("CONNECT");

    private final LeaderRouting routing;
    private final ClientHttpConnector connector;
    private final boolean saysWhoAsks;
    private final RoutingObserver observer;

    /**
     * @param routing which finds another leader
     * @param connections to leaders
     * @param saysWhoAsks whether the servers of this application believe {@code X-Forwarded} headers
     * @param observer is told of each request
     */
    public Forwarder(
            LeaderRouting routing, LeaderConnections connections, boolean saysWhoAsks, RoutingObserver observer) {
        this.routing = routing;
        this.connector = new ReactorClientHttpConnector(connections.client());
        this.saysWhoAsks = saysWhoAsks;
        this.observer = observer;
    }

    /**
     * Forwards a request. Ends when its response was written; an error means that the response is not complete.
     *
     * @param to whose leader serves it
     * @param leader to which it is sent first
     */
    public Mono<Void> forward(Incoming incoming, RoutedElection to, RoutingDecision.OnLeader leader) {
        Exchange exchange = new Exchange(incoming, to, observer);
        return incoming.body()
                .flatMap(body -> send(exchange, body, leader, true))
                .onErrorResume(
                        RequestBody.Broken.class,
                        unsent -> refuse(exchange, brokenBody(leader, "Nothing was carried out")))
                .doOnError(unforeseen -> exchange.count(RoutingObserver.FAILED))
                .doOnCancel(() -> exchange.count(RoutingObserver.CLIENT));
    }

    private Mono<Void> send(Exchange exchange, RequestBody body, RoutingDecision.OnLeader leader, boolean isFirst) {
        if (exchange.request().getMethod().equals(CONNECT)) {
            return refuse(exchange, Answers.tunnel(leader));
        }
        AtomicBoolean isBegun = new AtomicBoolean();
        URI uri;
        try {
            uri = MemberUris.resolve(
                    leader.uri(),
                    exchange.request().getPath().pathWithinApplication().value(),
                    exchange.incoming.query());
        } catch (URISyntaxException unusable) {
            return refuse(exchange, Answers.invalidPath(leader));
        }
        Mono<Void> sent = connector
                .connect(exchange.request().getMethod(), uri, outgoing -> {
                    isBegun.set(true);
                    return write(exchange, body, leader, outgoing);
                })
                .onErrorMap(failure -> new NoResponse(isBegun.get(), failure))
                .flatMap(response -> isRefusedHop(response, leader)
                        ? discard(response).then(Mono.error(new NoResponse(false, null)))
                        : relay(response, exchange, leader));
        return Mono.firstWithSignal(sent, body.broken())
                .onErrorMap(
                        RequestBody.Broken.class,
                        broken -> exchange.response().isCommitted()
                                ? new IOException("The request has ended within the response", broken)
                                : new NoResponse(true, broken))
                .onErrorResume(
                        NoResponse.class,
                        failure -> isFirst && failure.maySendAgain() && body.canBeSent()
                                ? sendToOther(exchange, body, leader, failure)
                                : refuse(exchange, problem(leader, failure)));
    }

    /** The leader can't be reached, or says that it does not lead: looks again, once. */
    private Mono<Void> sendToOther(
            Exchange exchange, RequestBody body, RoutingDecision.OnLeader leader, NoResponse failure) {
        return Mono.fromFuture(() -> routing.find(leader.election(), leader.token()))
                .onErrorResume(
                        java.util.concurrent.TimeoutException.class,
                        nobodyElse -> failure.isRefusal()
                                ? Mono.empty()
                                : Mono.justOrEmpty(routing.present(leader.election())))
                .defaultIfEmpty(new RoutingDecision.Nowhere(problem(leader, failure)))
                .flatMap(next -> next instanceof RoutingDecision.OnLeader other
                        ? send(exchange, body, other, false)
                        : refuse(exchange, ((RoutingDecision.Nowhere) next).problem()));
    }

    private Mono<Void> write(
            Exchange exchange, RequestBody body, RoutingDecision.OnLeader leader, ClientHttpRequest outgoing) {
        // The client library adds some of its own.
        outgoing.<HttpClientRequest>getNativeRequest()
                .requestHeaders()
                .remove(HttpHeaders.USER_AGENT)
                .remove(HttpHeaders.ACCEPT);
        HttpHeaders headers = outgoing.getHeaders();
        ForwardedHeaders.pass(exchange.request().getHeaders(), headers);
        if (saysWhoAsks) {
            ForwardedHeaders.sayWhoAsks(exchange.request(), exchange.incoming.prefix(), headers);
        }
        headers.set(Hop.HEADER, new Hop(leader.election(), leader.token()).value());
        if (exchange.request().getMethod().equals(HttpMethod.HEAD)) {
            // The leader may go on with a body that nobody gets, such as a stream of events. It would not hear the next
            // request over that connection.
            headers.setConnection("close");
        }
        return body.send(outgoing);
    }

    private static boolean isRefusedHop(ClientHttpResponse response, RoutingDecision.OnLeader leader) {
        return response.getStatusCode().value() == HttpStatus.MISDIRECTED_REQUEST.value()
                && leader.election().equals(response.getHeaders().getFirst(Hop.REFUSED));
    }

    private static Mono<Void> discard(ClientHttpResponse response) {
        return response.getBody()
                .map(DataBufferUtils::release)
                .onErrorComplete()
                .then();
    }

    private Mono<Void> relay(ClientHttpResponse from, Exchange exchange, RoutingDecision.OnLeader leader) {
        exchange.count(RoutingObserver.FORWARDED);
        exchange.incoming.clear().run();
        ServerHttpResponse to = exchange.response();
        to.setStatusCode(from.getStatusCode());
        ForwardedHeaders.pass(from.getHeaders(), to.getHeaders());
        // Each part is flushed, so that events arrive when they happen.
        RelayedParts parts = new RelayedParts();
        return to.writeAndFlushWith(from.getBody()
                        .onErrorResume(Forwarder::behindAllParts)
                        .map(part -> ofServer(part, to.bufferFactory()))
                        .map(parts::add)
                        .map(Mono::fromSupplier))
                .doFinally(how -> parts.end())
                .onErrorResume(failure -> to.isCommitted() ? Mono.error(failure) : refuse(exchange, ended(leader)));
    }

    /**
     * Ends a response that was cut, when the server asks for more: it has written what came before then. If the container had not written the first
     * part yet, Spring's adapter for servlets would answer an empty 500, which is a whole response. A time limit ends it at once: the server never
     * asks for more if the client takes nothing.
     */
    private static Mono<DataBuffer> behindAllParts(Throwable cut) {
        return isTimeout(cut) ? Mono.error(cut) : Mono.just(cut).handle((cause, end) -> end.error(cause));
    }

    /**
     * A part that the server may write. Spring's adapter for servlets may release a part on two threads when a client goes away. If the
     * part were counted by Netty, and used again in between, the second release would be that of a part of another response.
     */
    private static DataBuffer ofServer(DataBuffer part, DataBufferFactory buffers) {
        return buffers instanceof NettyDataBufferFactory ? part : buffers.wrap(RequestBody.bytesOf(part));
    }

    private Mono<Void> refuse(Exchange exchange, Problem problem) {
        exchange.incoming.clear().run();
        exchange.count(problem.outcome());
        return ProblemResponses.write(problem, exchange.response());
    }

    private Problem problem(RoutingDecision.OnLeader leader, NoResponse failure) {
        Throwable cause = failure.getCause();
        if (cause == null) {
            return routing.unavailable(
                    leader.election(),
                    "leaderless",
                    "Leadership has just moved. The request was not carried out: send it again");
        }
        if (cause instanceof RequestBody.Broken) {
            log.debug("The body of a request for leader {} has ended early", leader.node(), cause);
            return brokenBody(leader, "It may have been carried out");
        }
        if (!failure.isBegun) {
            log.debug("Failed to connect to leader {} at {}", leader.node(), leader.uri(), cause);
            return failure.isBusy()
                    ? routing.unavailable(
                            leader.election(),
                            "busy",
                            "Too many requests are being forwarded. The request was not carried out")
                    : routing.unavailable(
                            leader.election(),
                            "unreachable",
                            "No connection to the leader could be opened. The request was not carried out");
        }
        log.debug("No response of leader {} at {}", leader.node(), leader.uri(), cause);
        return isTimeout(cause)
                ? problem(
                        HttpStatus.GATEWAY_TIMEOUT,
                        "timeout",
                        leader,
                        "The leader has not answered in time (election.routing.timeout). The request may have been carried"
                                + " out")
                : ended(leader);
    }

    private static Problem ended(RoutingDecision.OnLeader leader) {
        return problem(
                HttpStatus.BAD_GATEWAY,
                RoutingObserver.FAILED,
                leader,
                "The connection to the leader has ended without a whole response. The request may have been carried out");
    }

    private static Problem brokenBody(RoutingDecision.OnLeader leader, String consequence) {
        return problem(
                HttpStatus.BAD_REQUEST,
                RoutingObserver.CLIENT,
                leader,
                "The request has ended before its body was whole. " + consequence);
    }

    private static Problem problem(HttpStatus status, String outcome, RoutingDecision.OnLeader leader, String detail) {
        return new Problem(status, outcome, detail, leader.election(), leader.node(), null);
    }

    private static boolean isTimeout(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TimeoutException) {
                return true;
            }
        }
        return false;
    }

    /** A request and its response, which is counted once. */
    private static final class Exchange {

        private final Incoming incoming;
        private final RoutedElection to;
        private final RoutingObserver observer;
        private final long begun = System.nanoTime();
        private final AtomicBoolean isCounted = new AtomicBoolean();

        private Exchange(Incoming incoming, RoutedElection to, RoutingObserver observer) {
            this.incoming = incoming;
            this.to = to;
            this.observer = observer;
        }

        private ServerHttpRequest request() {
            return incoming.request();
        }

        private ServerHttpResponse response() {
            return incoming.response();
        }

        private void count(String outcome) {
            if (isCounted.compareAndSet(false, true)) {
                observer.routed(to, outcome, Duration.ofNanos(System.nanoTime() - begun));
            }
        }
    }

    /** The leader has sent no response. Without a cause it has refused the hop. */
    private static final class NoResponse extends Exception {

        private static final long serialVersionUID = 1L;

        /** Whether a part of the request may have been sent to a node that has not refused it. */
        private final boolean isBegun;

        private NoResponse(boolean isBegun, @Nullable Throwable cause) {
            super(null, cause, false, false);
            this.isBegun = isBegun;
        }

        private boolean isRefusal() {
            return getCause() == null;
        }

        /** No connection was free. */
        private boolean isBusy() {
            return !isBegun
                    && (getCause() instanceof java.util.concurrent.TimeoutException
                            || getCause() instanceof RejectedExecutionException);
        }

        private boolean maySendAgain() {
            return !isBegun && !isBusy();
        }
    }
}
