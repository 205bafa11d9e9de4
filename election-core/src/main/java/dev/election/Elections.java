package dev.election;

import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** All elections that this process takes part in. They share one thread and are started and stopped together. */
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
     * Lets this node, when it becomes the leader of the election that the recovery names, run it before all other work and behind the
     * recoveries that were added before.
     *
     * @param name for the log, the endpoint and the history
     */
    void addRecovery(String name, LeaderRecovery recovery);

    /** Removes a recovery. One that runs is not ended. */
    void removeRecovery(LeaderRecovery recovery);

    /** The id of this node. */
    String node();

    /** Begins to take part. Starting twice does nothing. */
    void start();

    /**
     * Takes part no longer: admits no new work, waits for running work while leases are still renewed, and then releases them. The elections
     * can be started again when the stage is complete.
     */
    CompletionStage<Void> stop();
}
