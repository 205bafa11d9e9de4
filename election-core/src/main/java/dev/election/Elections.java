package dev.election;

import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** All elections that this process takes part in. They share one thread and are started and stopped together. */
public interface Elections {

    /**
     * The election of that name. Asking for a new name joins it: at once if the elections run, else when they are started.
     *
     * @throws IllegalArgumentException if the name is not one to sixty-four of {@code A-Z a-z 0-9 . _ : -}
     */
    Election get(String name);

    /** The election of that name if this process takes part in it; joins nothing. */
    Optional<Election> find(String name);

    /** The elections that this process takes part in, by name. */
    Collection<Election> all();

    /** Adds a listener to every election, those that are joined later as well. */
    void addListener(LeadershipListener listener);

    /** Removes a listener from every election; an event that is already on its way may still reach it. */
    void removeListener(LeadershipListener listener);

    /** The id of this node. */
    String node();

    /** Begins to take part. Starting twice does nothing. */
    void start();

    /**
     * Stops to take part: admits no new work, waits for running work while leases go on being renewed, then releases them.
     * Can be started again when the result has come.
     */
    CompletionStage<Void> stop();
}
