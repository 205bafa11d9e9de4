package dev.election;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A small text that the leader of an election leaves for its successors. The store keeps it while nodes restart. It is fenced: once a newer
 * leader has read or written it, the store refuses what an earlier leader writes.
 *
 * <p>The state is not part of the election: a node leads also while it can't be read or written. Each call sends a request. A stage fails
 * with a {@link StoreUnavailableException} if the store gives no usable reply; whether it has written the text is unknown then.
 */
public interface LeaderState {

    /** The largest text, in bytes of UTF-8. */
    int MOST_BYTES = 64 * 1024;

    /**
     * Reads the text that was written last. Any node may ask; a leader that asks shuts out all earlier ones. Empty if nothing was ever
     * written, or if the store has lost it: an empty text is present.
     */
    CompletionStage<Optional<Saved>> read();

    /**
     * Replaces the text, under the leadership of the work on this thread if there is one (see {@link CurrentWork}), and under the present one
     * of this node otherwise.
     *
     * @throws IllegalArgumentException if the text has more than {@link #MOST_BYTES}
     */
    CompletionStage<WriteOutcome> write(String text);

    /**
     * A text that a leader has written.
     *
     * @param text the text
     * @param token the token of the leader that wrote it
     * @param at when it was written, by the clock of the store, or of that leader if the store has none
     */
    record Saved(String text, FencingToken token, Instant at) {}

    /** The outcome of a write. */
    enum WriteOutcome {
        /** The text is in the store. */
        WRITTEN,
        /** A newer leader has read or written the state: nothing changed. */
        SUPERSEDED,
        /** This node does not lead: nothing was sent. */
        NOT_LEADER
    }
}
