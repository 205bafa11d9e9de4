package dev.election.record;

import dev.election.store.StoreEvent;
import java.util.List;
import java.util.Set;

/**
 * What comes of a request.
 *
 * @param record what the store knows from now on
 * @param reply what the sender is told
 * @param events what all who listen are told
 * @param set the ends that were set, perhaps to what they were before
 * @param <R> the kind of reply
 */
public record Decision<R>(ElectionRecord record, R reply, List<StoreEvent> events, Set<End> set) {

    public Decision {
        events = List.copyOf(events);
        set = Set.copyOf(set);
    }

    /** Without an end that was set. */
    public Decision(ElectionRecord record, R reply, List<StoreEvent> events) {
        this(record, reply, events, Set.of());
    }

    /** A part of a record that ends at a time of the store. */
    public enum End {
        /** The lease, and with it the epoch's time: set by a grant or a renewal. */
        LEASE,
        /** The lock delay. */
        LOCK_DELAY
    }
}
