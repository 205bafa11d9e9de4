package dev.election.fencing.http;

import dev.election.FencingToken;
import dev.election.spring.reactor.CurrentWorkContext;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/** Sends the token of the leader work that subscribes with each request of a {@code WebClient} to some hosts. */
public final class SendingFilter implements ExchangeFilterFunction {

    private final Hosts hosts;

    /** Sends it to those hosts, and a header that the caller has set it leaves alone. */
    public SendingFilter(Hosts hosts) {
        this.hosts = hosts;
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        if (!hosts.contain(request.url()) || request.headers().containsHeader(FencingTokenHeader.NAME)) {
            return next.exchange(request);
        }
        return Mono.deferContextual(subscriber -> next.exchange(CurrentWorkContext.from(subscriber)
                .token()
                .map(token -> with(token, request))
                .orElse(request)));
    }

    private static ClientRequest with(FencingToken token, ClientRequest request) {
        return ClientRequest.from(request)
                .header(FencingTokenHeader.NAME, token.toString())
                .build();
    }
}
