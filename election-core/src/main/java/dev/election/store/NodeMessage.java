package dev.election.store;

import dev.election.Abdication;
import dev.election.FencingToken;
import java.time.Duration;

/** What one node tells the others by way of the store. Those who listen hear it as {@link StoreEvent.Received}. */
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

    /**
     * A process takes part.
     *
     * @param node the id of its node
     * @param instance different for every process
     * @param isAnswer whether another process that said so is the reason to say it
     */
    record Present(String node, String instance, boolean isAnswer) implements NodeMessage {}
}
