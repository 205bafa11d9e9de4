package dev.election.store;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.Leader;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * News that saves waiting. It may be lost, late or repeated, and in a store whose channels others may use it may be forged: nothing
 * relies on it, and what no node and no store would say is ignored.
 */
public sealed interface Hint {

    /**
     * The lease was given back.
     *
     * @param token the token of the leadership that ended
     * @param successor the only node that may have the lease for a while, {@code null} for any
     * @param reserve how long that while is
     */
    record Released(FencingToken token, @Nullable String successor, Duration reserve) implements Hint {}

    /**
     * The lease was granted, or established again after the store had forgotten it.
     *
     * @param leader who leads
     * @param remaining how long the lease lasts if it is not renewed
     */
    record Acquired(Leader leader, Duration remaining) implements Hint {}

    /** The store has forgotten who leads; whoever does should renew at once. */
    record RollCall() implements Hint {}

    /** What one node tells the others by way of the store. */
    sealed interface Message extends Hint {}

    /**
     * Somebody asks whoever leads under that token to give leadership up.
     *
     * @param request tells this request from others
     * @param token the token of the leadership that is meant; whoever leads under another one is not
     * @param how how the leader shall do it
     */
    record AbdicationRequested(String request, FencingToken token, Abdication how) implements Message {}

    /**
     * The leader has heard of such a request and will release.
     *
     * @param request which
     * @param drain how long that takes at most
     */
    record AbdicationHeard(String request, Duration drain) implements Message {}

    /**
     * A process takes part.
     *
     * @param node the id of its node
     * @param instance different for every process
     * @param isAnswer whether another process that said so is the reason to say it
     */
    record Present(String node, String instance, boolean isAnswer) implements Message {}

    /**
     * The store can be reached again after it could not: earlier requests and hints may be lost.
     *
     * @param anew whether requests go over another connection than before, and so perhaps to another server: what the former one
     *     granted, and is still on its way, counts no more
     */
    record Connected(boolean anew) implements Hint {

        /** Hints can be heard. */
        public Connected() {
            this(false);
        }
    }

    /**
     * Something that was sent as a message of that kind and says what can't be said with it, such as a negative time. Nobody obeys it, but
     * whoever hears it should say so.
     *
     * @param kind of what kind it was meant to be
     * @param objection what is wrong with it; repeats no text of it, which may be meant for the log
     */
    record Invalid(Class<? extends Hint> kind, String objection) implements Hint {}
}
