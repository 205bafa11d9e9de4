package dev.election.internal.protocol;

import dev.election.store.StoreEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether a node gets the events of the store. A leader most likely gets them too if it does, and with them the roll call of a store that has no
 * record of its lease.
 */
public enum Hearing {

    /** The subscription is not confirmed yet. Until then a candidate begins no lock delay, which could be too long or too short. */
    UNKNOWN,

    /** The subscription is confirmed. */
    CONFIRMED,

    /** The subscription is refused, or was not confirmed in time. */
    UNCONFIRMED;

    /** Returns the lock delay of a store without a record, in which a leader can renew; {@code null} if it does not begin yet. */
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
