package dev.election;

import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** All elections that this process takes part in. One thread decides all of them, and they are started and stopped together. */
public interface Elections {

    /**
     * The election of that name. The first call with a name joins the election: at once if the elections are running, or else when they
     * are started.
     *
     * @throws IllegalArgumentException if the name is not one to sixty-four of {@code A-Z a-z 0-9 . _ : -}
     */
    Election get(String name);

    /** The election of that name if this process takes part in it. Does not join it. */
    Optional<Election> find(String name);

    /** The elections that this process takes part in, by name. */
    Collection<Election> all();

    /** Adds a listener to all elections, including those that are joined later. */
    void addListener(LeadershipListener listener);

    /** Removes a listener from all elections. It may still receive an event that has already been dispatched. */
    void removeListener(LeadershipListener listener);

    /**
     * Adds a recovery: when this node becomes the leader of the election that it names, it runs before all other work, after the recoveries
     * that were added before it.
     *
     * @param name the name of the recovery for the log, the endpoint and the history
     */
    void addRecovery(String name, LeaderRecovery recovery);

    /** Removes a recovery. If it is running, it is not ended. */
    void removeRecovery(LeaderRecovery recovery);

    /** The id of this node. */
    String node();

    /** Begins to take part. Returns without waiting for the store, also if it can't be reached. Starting twice does nothing. */
    void start();

    /**
     * Stops taking part: admits no new work, waits for running work up to the drain time while leases are still renewed, and then releases
     * them. A lease whose release the store does not confirm ends by itself. The elections can be started again when the stage is complete.
     */
    CompletionStage<Void> stop();
}
