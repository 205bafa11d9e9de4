package dev.election.fencing.http;

import dev.election.FencingToken;
import java.io.IOException;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/** Sends the token of the leader work of the thread with each request of a {@code RestClient} or {@code RestTemplate} to some hosts. */
public final class SendingInterceptor implements ClientHttpRequestInterceptor {

    private final Hosts hosts;

    /** Sends it to those hosts, and a header that the caller has set it leaves alone. */
    public SendingInterceptor(Hosts hosts) {
        this.hosts = hosts;
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        if (hosts.contain(request.getURI()) && !request.getHeaders().containsHeader(FencingTokenHeader.NAME)) {
            FencingToken.current()
                    .ifPresent(token -> request.getHeaders().set(FencingTokenHeader.NAME, token.toString()));
        }
        return execution.execute(request, body);
    }
}
