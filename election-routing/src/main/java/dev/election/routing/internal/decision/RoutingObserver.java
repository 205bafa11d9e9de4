package dev.election.routing.internal.decision;

import java.time.Duration;

/** Is told what happened to each routed request. */
@FunctionalInterface
public interface RoutingObserver {

    /** The outcome of a request that this node serves as the leader. */
    String LOCAL = "local";

    /** The outcome of a request that the leader has answered. */
    String FORWARDED = "forwarded";

    /** The outcome of a request that has failed on its way to the leader or back. */
    String FAILED = "failed";

    /** The outcome of a request whose client has gone before an answer, or has not sent all of it. */
    String CLIENT = "client";

    /**
     * Called once for each request.
     *
     * @param to whose leader serves the request
     * @param outcome what happened, in a word
     * @param took from the request until that was clear: of a forwarded one until the leader began its response
     */
    void routed(RoutedElection to, String outcome, Duration took);
}
