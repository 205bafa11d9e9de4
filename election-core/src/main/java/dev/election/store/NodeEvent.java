package dev.election.store;

/** An event about processes with the same node id. It may be lost, late, repeated or forged: leadership does not depend on it. */
public sealed interface NodeEvent {

    /**
     * A process with that node id is there, this one or another.
     *
     * @param instance different for every process
     * @param isAnswer whether this answers the same message of another process
     */
    record Present(String instance, boolean isAnswer) implements NodeEvent {}

    /** The store can be reached again after it could not, or for the first time: what was said before may be lost. */
    record Connected() implements NodeEvent {}
}
