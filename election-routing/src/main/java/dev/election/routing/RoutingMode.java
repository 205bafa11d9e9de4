package dev.election.routing;

/** What a node that does not lead does with a request that only the leader may serve. */
public enum RoutingMode {
    /** Sends it to the leader, and the response of the leader to the client. */
    FORWARD,
    /** Answers 307 with the public URI of the leader ({@code election.node.public-uri}). */
    REDIRECT,
    /** Answers 503 and names the leader. */
    REFUSE
}
