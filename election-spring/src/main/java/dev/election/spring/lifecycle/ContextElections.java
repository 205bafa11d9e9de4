package dev.election.spring.lifecycle;

import dev.election.Election;
import dev.election.Elections;
import dev.election.LeadershipListener;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/**
 * Joins the elections that one context names and adds its listeners. The elections may be those of its parent. A context that only listens
 * to leadership joins {@link Election#DEFAULT}; one that does neither joins none, so that it never leads in place of an application that
 * has guarded work.
 */
public final class ContextElections
        implements SmartInitializingSingleton, DisposableBean, ApplicationListener<ApplicationEvent>, Ordered {

    private final Readiness readiness;
    private final Elections elections;
    private final Supplier<Set<String>> names;
    private final Supplier<Collection<LeadershipListener>> listeners;
    private final BooleanSupplier listens;
    private List<LeadershipListener> added = List.of();

    /**
     * Creates the bean. The suppliers are called when all singletons have been created.
     *
     * @param readiness of the context
     * @param elections to join, and to add listeners to
     * @param names the elections that the context takes part in
     * @param listeners the listeners that are beans of the context
     * @param listens whether the application listens to leadership, by those or by other means; called if no election is joined
     */
    public ContextElections(
            Readiness readiness,
            Elections elections,
            Supplier<Set<String>> names,
            Supplier<Collection<LeadershipListener>> listeners,
            BooleanSupplier listens) {
        this.readiness = readiness;
        this.elections = elections;
        this.names = names;
        this.listeners = listeners;
        this.listens = listens;
    }

    @Override
    public void afterSingletonsInstantiated() {
        added = List.copyOf(listeners.get());
        added.forEach(elections::addListener);
    }

    /** Joins only when the context is ready: the elections of a parent may be running, and this node may lead at once. */
    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (readiness.isToldBy(event)) {
            names.get().forEach(elections::get);
            if (elections.all().isEmpty() && listens.getAsBoolean()) {
                elections.get(Election.DEFAULT);
            }
        }
    }

    /** Places this bean right before {@link ElectionLifecycle}, which starts the joined elections. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE - 1;
    }

    @Override
    public void destroy() {
        added.forEach(elections::removeListener);
    }
}
