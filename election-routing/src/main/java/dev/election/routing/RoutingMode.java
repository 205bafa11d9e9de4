package dev.election.routing;

/** Treatment of a request that only the leader may serve by a node that does not lead. */
public enum RoutingMode {
    /** Sends it to the leader, and the response of the leader to the client. */
    FORWARD,
    /** Answers 307 with the public URI of the leader ({@code election.node.public-uri}). */
    REDIRECT,
    /** Answers 503 and names the leader. */
    REFUSE
}
