package dev.election.store;

/**
 * When a request is decided, and by what.
 *
 * @param millis the time of the store, in milliseconds since 1970
 * @param incarnation the store that decides
 */
public record StoreMoment(long millis, Incarnation incarnation) {}
