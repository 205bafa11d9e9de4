package dev.election.store;

import dev.election.Abdication;
import dev.election.FencingToken;
import java.time.Duration;

/** What one node tells the others of an election by way of the store. Those who listen hear it as {@link StoreEvent.Received}. */
public sealed interface NodeMessage {

    /**
     * Somebody asks whoever leads under that token to give leadership up.
     *
     * @param request tells this request from others
     * @param token the token of the leadership that is meant; whoever leads under another one is not
     * @param how how the leader shall do it
     */
    record AbdicationRequested(String request, FencingToken token, Abdication how) implements NodeMessage {}

    /**
     * The leader has heard of such a request and will release.
     *
     * @param request which
     * @param drain how long that takes at most
     */
    record AbdicationHeard(String request, Duration drain) implements NodeMessage {}
}
