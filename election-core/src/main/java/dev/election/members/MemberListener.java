package dev.election.members;

/**
 * Is told who joins, leaves or changes. Each listener is called for one event after the other, in their order, and on a thread that delays
 * no election.
 */
@FunctionalInterface
public interface MemberListener {

    /** Called for each event. */
    void onEvent(MemberEvent event);
}
