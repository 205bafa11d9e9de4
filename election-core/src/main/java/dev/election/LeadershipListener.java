package dev.election;

/**
 * Told of everything that happens in an election: in order, each event exactly once, never two at a time. A listener that is
 * added while this node leads hears {@code Acquired} first. It runs on a thread of its own kind, so it may be slow and may throw:
 * neither delays a renewal, nor another listener unless dozens are slow at a time. A slow one hears late; ask {@link Election#isLeader()} for the present.
 */
public interface LeadershipListener {

    /** This node leads from now on. */
    default void onAcquired(LeadershipEvent.Acquired event) {}

    /** This node still leads, admits no new work and will soon release. */
    default void onResigning(LeadershipEvent.Resigning event) {}

    /** Half of this node's lease has gone without a renewal. */
    default void onLeaseAtRisk(LeadershipEvent.LeaseAtRisk event) {}

    /** The lease that was at risk has been renewed. */
    default void onLeaseSecured(LeadershipEvent.LeaseSecured event) {}

    /** This node no longer leads. */
    default void onLost(LeadershipEvent.Lost event) {}

    /** Another node leads than before, or none. */
    default void onLeaderChanged(LeadershipEvent.LeaderChanged event) {}

    /** No leader is known. */
    default void onElectionStarted(LeadershipEvent.ElectionStarted event) {}

    /** It is known again who leads. */
    default void onElectionCompleted(LeadershipEvent.ElectionCompleted event) {}

    /** The store gives no usable answer. */
    default void onStoreFailed(LeadershipEvent.StoreFailed event) {}

    /** The store answers again. */
    default void onStoreRecovered(LeadershipEvent.StoreRecovered event) {}

    /** Applications of another name take part in the election, or do so no longer. */
    default void onApplicationsDiffer(LeadershipEvent.ApplicationsDiffer event) {}

    /** Every event comes through here first; override this instead of the others to see all of them. */
    default void onEvent(LeadershipEvent event) {
        if (event instanceof LeadershipEvent.Acquired acquired) {
            onAcquired(acquired);
        } else if (event instanceof LeadershipEvent.Resigning resigning) {
            onResigning(resigning);
        } else if (event instanceof LeadershipEvent.Lost lost) {
            onLost(lost);
        } else if (event instanceof LeadershipEvent.LeaseAtRisk risk) {
            onLeaseAtRisk(risk);
        } else if (event instanceof LeadershipEvent.LeaseSecured secured) {
            onLeaseSecured(secured);
        } else if (event instanceof LeadershipEvent.LeaderChanged changed) {
            onLeaderChanged(changed);
        } else if (event instanceof LeadershipEvent.ElectionStarted started) {
            onElectionStarted(started);
        } else if (event instanceof LeadershipEvent.ElectionCompleted completed) {
            onElectionCompleted(completed);
        } else if (event instanceof LeadershipEvent.StoreFailed failed) {
            onStoreFailed(failed);
        } else if (event instanceof LeadershipEvent.StoreRecovered recovered) {
            onStoreRecovered(recovered);
        } else if (event instanceof LeadershipEvent.ApplicationsDiffer differ) {
            onApplicationsDiffer(differ);
        }
    }
}
