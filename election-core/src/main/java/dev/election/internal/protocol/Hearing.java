package dev.election.internal.protocol;

import dev.election.store.StoreEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether a node hears what the store tells. A leader most likely hears as much, and with it the roll call of a store that has no record of its
 * lease.
 */
public enum Hearing {

    /** The store has not said yet. Until it has, a candidate begins no wait that would be too long, or not long enough. */
    UNKNOWN,

    /** The store has said that it tells. */
    CONFIRMED,

    /** The store refuses to tell, or has not said in time. */
    UNCONFIRMED;

    /** How long a store without a record grants nothing, so that a leader can renew; {@code null} if that wait does not begin yet. */
    @Nullable
    Duration settle(ProtocolTimings timings) {
        return switch (this) {
            case UNKNOWN -> null;
            case CONFIRMED -> timings.settle();
            case UNCONFIRMED -> timings.lease();
        };
    }

    Hearing after(StoreEvent event) {
        if (event instanceof StoreEvent.Connected connected && !connected.anew()) {
            return CONFIRMED;
        }
        return event instanceof StoreEvent.Refused ? UNCONFIRMED : this;
    }
}
