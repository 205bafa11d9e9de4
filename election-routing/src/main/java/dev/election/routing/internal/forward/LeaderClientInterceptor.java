package dev.election.routing.internal.forward;

import dev.election.FencingToken;
import dev.election.NotLeaderException;
import dev.election.routing.internal.decision.Hop;
import dev.election.routing.internal.decision.LeaderRouting;
import dev.election.routing.internal.decision.MemberUris;
import dev.election.routing.internal.decision.RoutingDecision;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.support.HttpRequestWrapper;

/** Sends the requests of a {@code RestClient} to the leader of an election. */
public final class LeaderClientInterceptor implements ClientHttpRequestInterceptor {

    /** The base of the URIs that are replaced by that of the leader. */
    public static final String BASE = "http://leader.invalid";

    private final String election;
    private final Supplier<LeaderRouting> routing;

    /** Sends them to the leader of that election. */
    public LeaderClientInterceptor(String election, Supplier<LeaderRouting> routing) {
        this.election = election;
        this.routing = routing;
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        RoutingDecision.OnLeader leader = find(null);
        ClientHttpResponse answer;
        try {
            answer = execution.execute(new ToLeader(request, leader), body);
        } catch (ConnectException nothingSent) {
            return execution.execute(new ToLeader(request, find(leader.token())), body);
        }
        if (answer.getStatusCode().value() != HttpStatus.MISDIRECTED_REQUEST.value()
                || !election.equals(answer.getHeaders().getFirst(Hop.REFUSED))) {
            return answer;
        }
        answer.close();
        return execution.execute(new ToLeader(request, find(leader.token())), body);
    }

    private RoutingDecision.OnLeader find(@Nullable FencingToken butNot) throws IOException {
        CompletableFuture<RoutingDecision> found = routing.get().find(election, butNot);
        try {
            if (found.get() instanceof RoutingDecision.OnLeader leader) {
                return leader;
            }
        } catch (ExecutionException nobody) {
            // As if too many waited.
        } catch (InterruptedException interrupted) {
            found.cancel(false);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for a leader of " + election);
        }
        throw new NotLeaderException(election, Optional.empty());
    }

    private static final class ToLeader extends HttpRequestWrapper {

        private final URI uri;

        private ToLeader(HttpRequest request, RoutingDecision.OnLeader leader) throws IOException {
            super(request);
            URI given = request.getURI();
            try {
                this.uri = MemberUris.resolve(leader.uri(), given.getRawPath(), given.getRawQuery());
            } catch (URISyntaxException unusable) {
                throw new IOException("Not valid below the URI of the leader: " + given, unusable);
            }
            getHeaders().set(Hop.HEADER, new Hop(leader.election(), leader.token()).value());
        }

        @Override
        public URI getURI() {
            return uri;
        }
    }
}
