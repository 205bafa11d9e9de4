package dev.election.members;

/**
 * Receives the events of the members: who joins, leaves or changes. Each listener is called for one event after the other, in their order,
 * and on a thread that delays no election. An exception is logged, and the event is not repeated.
 */
@FunctionalInterface
public interface MemberListener {

    /** Receives an event. */
    void onEvent(MemberEvent event);
}
