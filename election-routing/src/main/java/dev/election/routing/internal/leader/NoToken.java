package dev.election.routing.internal.leader;

import org.springframework.core.MethodParameter;

/** A handler has a token as an argument, and its request is not routed to the leader. Without this, the token would be one of the client. */
public final class NoToken extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** Fails for that argument of a handler. */
    public NoToken(MethodParameter parameter) {
        super("The handler " + parameter.getExecutable().toGenericString()
                + " has a FencingToken as an argument, but its request is not served as the leader. Put @OnLeader on the"
                + " handler, or route its path by election.routing.routes");
    }
}
