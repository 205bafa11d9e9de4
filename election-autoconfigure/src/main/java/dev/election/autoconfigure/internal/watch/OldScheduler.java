package dev.election.autoconfigure.internal.watch;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The scheduler that an election replaces, of which some nodes may still run. While one of them is master, the election has no leader. */
public interface OldScheduler {

    /** There is none. */
    OldScheduler NONE = new OldScheduler() {
        @Override
        public Optional<View> of(String election) {
            return Optional.empty();
        }

        @Override
        public CompletionStage<TakeOver> takeOver(String election, String master) {
            throw new IllegalStateException("Election '" + election + "' replaces no scheduler");
        }
    };

    /** What this node knows of the scheduler that the election replaces, empty if it replaces none. */
    Optional<View> of(String election);

    /**
     * Takes the place of a master that does not run any more. Only for an election of which {@link #of} knows something.
     *
     * @param master the master, as the view names it: another one is left alone
     */
    CompletionStage<TakeOver> takeOver(String election, String master);

    /**
     * The old scheduler, as the endpoint and health show it.
     *
     * @param state what is the case, in one sentence
     * @param master the old node that is master, alive or not; {@code null} if none is
     * @param keyRenewedUntil when its key ends unless an old node renews it, {@code null} if none is master or the key does not end
     * @param noOldNodeFor for how long no old node has been seen
     * @param removable whether the bridge can be removed, since no old node has been seen for long
     * @param seenAt when this node looked, by the clock of the store; {@code null} if it has not looked yet
     */
    record View(
            String state,
            @Nullable String master,
            @Nullable Instant keyRenewedUntil,
            @Nullable String noOldNodeFor,
            boolean removable,
            @Nullable Instant seenAt) {}

    /**
     * What came of a request to take over.
     *
     * @param outcome the kind of it
     * @param detail in one sentence
     */
    record TakeOver(Outcome outcome, String detail) {

        /** The kind of result. */
        public enum Outcome {
            /** The old master is none any more. */
            TAKEN_OVER,
            /** Another old node is master; nothing changed. */
            OTHER_MASTER,
            /** No old node is master; nothing changed. */
            NO_MASTER,
            /** An old node is electing; nothing changed. */
            BUSY,
            /** There was no reply: whether the place was taken is unknown. */
            UNKNOWN
        }
    }
}
