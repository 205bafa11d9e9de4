package dev.election.redis.bridge;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * State of the old key, as the bridge of this node last saw it.
 *
 * @param state who has the old key
 * @param oldMaster the node of the old scheduler that is master, {@code null} unless one is
 * @param keyRenewedUntil when the old key ends unless it is renewed, by the clock of Redis; {@code null} if there is no key or no end
 * @param quietFor for how long no old node has been seen
 * @param removable whether no old node has been seen for so long that the bridge is of no use any more
 * @param at when that was, by the clock of Redis
 */
public record BridgeStatus(
        State state,
        @Nullable String oldMaster,
        @Nullable Instant keyRenewedUntil,
        Duration quietFor,
        boolean removable,
        Instant at) {

    /** The holder of the old key. */
    public enum State {
        /** This node has not seen the key yet. */
        UNKNOWN,
        /** A node of the old scheduler is master, alive or not. */
        OLD_MASTER,
        /** A node with the bridge holds the key. */
        ELECTION,
        /** No node holds the key. */
        NOBODY
    }

    static final BridgeStatus UNKNOWN =
            new BridgeStatus(State.UNKNOWN, null, null, Duration.ZERO, false, Instant.EPOCH);

    static BridgeStatus of(KeyReply seen, Duration quietEnough) {
        return switch (seen.outcome()) {
            case OLD -> new BridgeStatus(State.OLD_MASTER, seen.shown(), seen.ends(), Duration.ZERO, false, seen.at());
            case FREE, DROPPED -> of(State.NOBODY, null, seen, quietEnough);
            case OURS, KEPT, NEWER, TAKEN -> of(State.ELECTION, seen.ends(), seen, quietEnough);
        };
    }

    private static BridgeStatus of(State state, @Nullable Instant ends, KeyReply seen, Duration quietEnough) {
        boolean removable = seen.note().quiet().compareTo(quietEnough) >= 0;
        return new BridgeStatus(state, null, ends, seen.note().quiet(), removable, seen.at());
    }
}
