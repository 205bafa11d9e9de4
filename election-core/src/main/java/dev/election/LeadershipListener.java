package dev.election;

/**
 * Receives the events of an election: each event once, in order, never two at a time. A listener that is added while this node leads
 * receives {@code Acquired} first, or {@code Recovering} while this node recovers.
 *
 * <p>Listeners run on separate threads, so they may block and may throw: neither delays a renewal, nor another listener unless dozens block
 * at a time. An exception is logged, and the event is not repeated. A slow listener receives events late; call {@link Election#isLeader()}
 * for the present state.
 */
public interface LeadershipListener {

    /** This node has been granted the lease and recovers before it admits work. */
    default void onRecovering(LeadershipEvent.Recovering event) {}

    /** A recovery of this node failed: it gives its leadership up. */
    default void onRecoveryFailed(LeadershipEvent.RecoveryFailed event) {}

    /** This node leads from now on. */
    default void onAcquired(LeadershipEvent.Acquired event) {}

    /** This node still leads but admits no new work, and will release leadership when the running work has ended. */
    default void onResigning(LeadershipEvent.Resigning event) {}

    /** This node admits new work again: the running work took longer than a hand-over for a better candidate was worth. */
    default void onResumed(LeadershipEvent.Resumed event) {}

    /** This node has not renewed its lease for half of the lease. */
    default void onLeaseAtRisk(LeadershipEvent.LeaseAtRisk event) {}

    /** The lease that was at risk has been renewed. */
    default void onLeaseSecured(LeadershipEvent.LeaseSecured event) {}

    /** This node no longer leads. */
    default void onLost(LeadershipEvent.Lost event) {}

    /** The leader has changed, or no leader is known any more. */
    default void onLeaderChanged(LeadershipEvent.LeaderChanged event) {}

    /** This node knows no leader. */
    default void onElectionStarted(LeadershipEvent.ElectionStarted event) {}

    /** This node knows again who leads. */
    default void onElectionCompleted(LeadershipEvent.ElectionCompleted event) {}

    /** This node has become an observer, or a candidate after it was one. */
    default void onRoleChanged(LeadershipEvent.RoleChanged event) {}

    /** The store gives no usable reply. */
    default void onStoreFailed(LeadershipEvent.StoreFailed event) {}

    /** The store gives usable replies again. */
    default void onStoreRecovered(LeadershipEvent.StoreRecovered event) {}

    /** The names of other applications that take part in the election have changed. */
    default void onApplicationsDiffer(LeadershipEvent.ApplicationsDiffer event) {}

    /** Receives every event and calls the method for its type. Override it to receive all events in one method. */
    default void onEvent(LeadershipEvent event) {
        if (event instanceof LeadershipEvent.Acquired acquired) {
            onAcquired(acquired);
        } else if (event instanceof LeadershipEvent.Recovering recovering) {
            onRecovering(recovering);
        } else if (event instanceof LeadershipEvent.RecoveryFailed failed) {
            onRecoveryFailed(failed);
        } else if (event instanceof LeadershipEvent.Resigning resigning) {
            onResigning(resigning);
        } else if (event instanceof LeadershipEvent.Resumed resumed) {
            onResumed(resumed);
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
        } else if (event instanceof LeadershipEvent.RoleChanged changed) {
            onRoleChanged(changed);
        } else if (event instanceof LeadershipEvent.StoreFailed failed) {
            onStoreFailed(failed);
        } else if (event instanceof LeadershipEvent.StoreRecovered recovered) {
            onStoreRecovered(recovered);
        } else if (event instanceof LeadershipEvent.ApplicationsDiffer differ) {
            onApplicationsDiffer(differ);
        }
    }
}
