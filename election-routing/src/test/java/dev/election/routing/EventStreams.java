package dev.election.routing;

/** Streams of events that an application has open. */
interface EventStreams {

    /** Sends an event to all. */
    void emit(String event);
}
