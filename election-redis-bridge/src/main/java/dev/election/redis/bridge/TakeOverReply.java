package dev.election.redis.bridge;

import dev.election.store.NoAnswer;
import java.time.Duration;

/** The outcome of a request to take the old key from the old master. */
public sealed interface TakeOverReply {

    /** The key is ours: the old master is none any more, and one of the nodes with the bridge leads soon. */
    record TakenOver() implements TakeOverReply {}

    /**
     * Another old node is master; nothing changed.
     *
     * @param master which
     */
    record OtherMaster(String master) implements TakeOverReply {}

    /** No old node is master; nothing changed. */
    record NoMaster() implements TakeOverReply {}

    /**
     * An old node holds the lock of the old scheduler; nothing changed.
     *
     * @param left how long it holds it unless it releases it before
     */
    record Locked(Duration left) implements TakeOverReply {}

    /**
     * Redis did not answer: whether the key was taken is unknown.
     *
     * @param why what is wrong
     */
    public record Unanswered(NoAnswer why) implements TakeOverReply {}
}
