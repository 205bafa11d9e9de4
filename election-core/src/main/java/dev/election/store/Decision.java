package dev.election.store;

import java.util.List;

/**
 * What comes of a request.
 *
 * @param record what the store knows from now on
 * @param reply what the sender is told
 * @param events what all who listen are told
 * @param <R> the kind of reply
 */
public record Decision<R>(ElectionRecord record, R reply, List<StoreEvent> events) {

    public Decision {
        events = List.copyOf(events);
    }
}
