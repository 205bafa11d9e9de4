package dev.election.lifecycle;

import dev.election.Elections;
import dev.election.LeadershipListener;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/** What one context brings to the elections, which may be those of its parent: names to join and listeners. */
public final class ContextElections
        implements SmartInitializingSingleton, DisposableBean, ApplicationListener<ApplicationEvent>, Ordered {

    private final Readiness readiness;
    private final Elections elections;
    private final Supplier<Set<String>> names;
    private final Supplier<Collection<LeadershipListener>> listeners;
    private List<LeadershipListener> added = List.of();

    /**
     * Creates the bond. The suppliers are asked when all beans have been made.
     *
     * @param readiness of the context that brings
     * @param elections what to bring to
     * @param names the elections that the context wants to take part in
     * @param listeners the listeners that are beans of the context
     */
    public ContextElections(
            Readiness readiness,
            Elections elections,
            Supplier<Set<String>> names,
            Supplier<Collection<LeadershipListener>> listeners) {
        this.readiness = readiness;
        this.elections = elections;
        this.names = names;
        this.listeners = listeners;
    }

    @Override
    public void afterSingletonsInstantiated() {
        added = List.copyOf(listeners.get());
        added.forEach(elections::addListener);
    }

    /** Not before, since the elections of a parent may be under way: whoever joins them may lead at once. */
    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (readiness.isToldBy(event)) {
            names.get().forEach(elections::get);
        }
    }

    /** Right before {@link ElectionLifecycle}, which starts what has been joined. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE - 1;
    }

    @Override
    public void destroy() {
        added.forEach(elections::removeListener);
    }
}
