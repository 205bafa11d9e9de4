package dev.election.routing;

import dev.election.NotLeaderException;
import dev.election.routing.internal.forward.LeaderClientInterceptor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;

/**
 * Lets a {@code RestClient} call the leader of an election, wherever it is.
 *
 * <pre>{@code
 * RestClient orders = builder.apply(leaders.of("orders")).build();
 * Order order = orders.get().uri("/orders/{id}", id).retrieve().body(Order.class);
 * }</pre>
 *
 * <p>URIs are paths within the application of the leader. Each request names the token of the leader to which it is sent, so that a node that
 * does not lead any more refuses it unread if its handler has {@link OnLeader}. A refused request, and one for which no connection could be
 * opened, is sent to the next leader, once.
 *
 * <p>While nobody leads, a request waits ({@code election.routing.wait}), and fails then with a {@link NotLeaderException}.
 */
public final class LeaderClient {

    private final Function<String, ClientHttpRequestInterceptor> senders;

    /**
     * For the wiring.
     *
     * @param senders send the requests of a client to the leader of the election of that name
     */
    public LeaderClient(Function<String, ClientHttpRequestInterceptor> senders) {
        this.senders = senders;
    }

    /**
     * Customizes the builder of a client.
     *
     * @param election the name of the election. This process takes part in it
     */
    public Consumer<RestClient.Builder> of(String election) {
        return builder -> builder.baseUrl(LeaderClientInterceptor.BASE).requestInterceptor(senders.apply(election));
    }
}
