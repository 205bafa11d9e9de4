package dev.election.lifecycle;

import dev.election.Elections;
import dev.election.LeadershipListener;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** What one context brings to the elections, which may be those of its parent: names to join and listeners. */
public final class ContextElections implements SmartInitializingSingleton, DisposableBean {

    private final Elections elections;
    private final Supplier<Set<String>> names;
    private final Supplier<Collection<LeadershipListener>> listeners;
    private List<LeadershipListener> added = List.of();

    /**
     * Creates the bond. The suppliers are asked when all beans have been made.
     *
     * @param elections what to bring to
     * @param names the elections that the context wants to take part in
     * @param listeners the listeners that are beans of the context
     */
    public ContextElections(
            Elections elections, Supplier<Set<String>> names, Supplier<Collection<LeadershipListener>> listeners) {
        this.elections = elections;
        this.names = names;
        this.listeners = listeners;
    }

    @Override
    public void afterSingletonsInstantiated() {
        added = List.copyOf(listeners.get());
        added.forEach(elections::addListener);
        names.get().forEach(elections::get);
    }

    @Override
    public void destroy() {
        added.forEach(elections::removeListener);
    }
}
