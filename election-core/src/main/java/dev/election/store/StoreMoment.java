package dev.election.store;

/**
 * When a request is decided, and by what.
 *
 * @param millis the time of the record, in milliseconds since 1970
 * @param clock a clock that goes on where the record is lost, so that tokens rise: that of the store, or of this node if the store has none
 * @param incarnation the store that decides
 */
public record StoreMoment(long millis, long clock, Incarnation incarnation) {

    /** By a store that has a clock. */
    public StoreMoment(long millis, Incarnation incarnation) {
        this(millis, millis, incarnation);
    }
}
