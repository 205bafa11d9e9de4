package dev.election.store;

/**
 * The time at which a request is decided, and the store that decides it.
 *
 * @param millis the real time of the store in milliseconds since 1970, or that of this node if the store has no clock
 * @param incarnation the store that decides
 */
public record StoreMoment(long millis, Incarnation incarnation) {}
