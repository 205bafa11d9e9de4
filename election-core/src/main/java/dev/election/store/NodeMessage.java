package dev.election.store;

import dev.election.Abdication;
import dev.election.FencingToken;
import java.time.Duration;

/** A message from one node of an election to the others, which the store passes on as {@link StoreEvent.Received}. */
public sealed interface NodeMessage {

    /**
     * A request to the leader with that token to give up leadership.
     *
     * @param request the id of this request
     * @param token the token of the leadership; a leader with another token ignores the request
     * @param how how the leader shall do it
     */
    record AbdicationRequested(String request, FencingToken token, Abdication how) implements NodeMessage {}

    /**
     * The leader has received a request to abdicate and will release.
     *
     * @param request the id of the request
     * @param drain how long that takes at most
     */
    record AbdicationHeard(String request, Duration drain) implements NodeMessage {}
}
