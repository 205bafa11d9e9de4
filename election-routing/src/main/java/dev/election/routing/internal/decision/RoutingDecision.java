package dev.election.routing.internal.decision;

import dev.election.FencingToken;
import dev.election.LeaderWork;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Where a request is served. */
public sealed interface RoutingDecision {

    /**
     * Here.
     *
     * @param work which the request is; whoever serves the request closes it
     */
    record Here(LeaderWork work) implements RoutingDecision {}

    /**
     * On the leader.
     *
     * @param election the name of the election
     * @param node the id of the leader
     * @param token of its leadership
     * @param uri where the other members reach it
     * @param publicUri where clients reach it, {@code null} if it has not said that
     */
    record OnLeader(String election, String node, FencingToken token, URI uri, @Nullable URI publicUri)
            implements RoutingDecision {}

    /**
     * Nowhere.
     *
     * @param problem the response
     */
    record Nowhere(Problem problem) implements RoutingDecision {}
}
