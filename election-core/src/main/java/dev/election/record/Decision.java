package dev.election.record;

import dev.election.store.StoreEvent;
import java.util.List;
import java.util.Set;

/**
 * The decision on a request.
 *
 * @param record the record from now on
 * @param reply the reply to the sender
 * @param events the events for all who listen
 * @param set the ends that were set, perhaps to the times that they had before
 * @param <R> the kind of reply
 */
public record Decision<R>(ElectionRecord record, R reply, List<StoreEvent> events, Set<End> set) {

    public Decision {
        events = List.copyOf(events);
        set = Set.copyOf(set);
    }

    /** Creates a decision that sets no end. */
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
