package dev.election.redis.internal.failure;

/** Failure of an attempt to connect, by what the server did. */
public enum ConnectFailure {
    /** Nobody is there. The server may be back at any moment. */
    REFUSED,
    /** The server ended the connection. It may be back at any moment. */
    HUNG_UP,
    /** The server has said that it does not serve this process, and will say so until somebody changes something. */
    DENIED,
    /** No answer came in time. */
    UNANSWERED
}
