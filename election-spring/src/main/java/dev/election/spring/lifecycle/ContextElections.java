package dev.election.spring.lifecycle;

import dev.election.Election;
import dev.election.Elections;
import dev.election.LeadershipListener;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/**
 * Joins the elections that one context names, and adds its listeners and its recoveries. The elections may be those of its parent. A context that only listens
 * to leadership joins {@link Election#DEFAULT}; one that does neither joins none, so that it never leads in place of an application that
 * has guarded work.
 */
public final class ContextElections
        implements SmartInitializingSingleton, DisposableBean, ApplicationListener<ApplicationEvent>, Ordered {

    private final Readiness readiness;
    private final Elections elections;
    private final ConfigurableListableBeanFactory beans;
    private final Set<String> configured;
    private final LeaderRecoveries recoveries;
    private List<LeadershipListener> added = List.of();

    /**
     * Creates the bean.
     *
     * @param readiness of the context
     * @param elections to join, and to add listeners to
     * @param beans of the context: its listeners, its recoveries, and components that want elections
     * @param configured elections to join besides those that components want
     * @param groups the groups of partitions of the application
     */
    public ContextElections(
            Readiness readiness,
            Elections elections,
            ConfigurableListableBeanFactory beans,
            Set<String> configured,
            Set<String> groups) {
        this.readiness = readiness;
        this.elections = elections;
        this.beans = beans;
        this.configured = configured;
        this.recoveries = new LeaderRecoveries(elections, beans, groups);
    }

    @Override
    public void afterSingletonsInstantiated() {
        added = List.copyOf(beans.getBeansOfType(LeadershipListener.class).values());
        added.forEach(elections::addListener);
        recoveries.add();
    }

    /** Joins only when the context is ready: the elections of a parent may be running, and this node may lead at once. */
    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (readiness.isToldBy(event)) {
            names().forEach(elections::get);
            if (elections.all().isEmpty() && new LeadershipAudience(readiness.context(), beans).isPresent()) {
                elections.get(Election.DEFAULT);
            }
        }
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>(configured);
        names.addAll(recoveries.names());
        beans.getBeanProvider(WantedElections.class).forEach(some -> names.addAll(some.names()));
        return names;
    }

    /** Places this bean right before {@link ElectionLifecycle}, which starts the joined elections. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE - 1;
    }

    @Override
    public void destroy() {
        recoveries.remove();
        added.forEach(elections::removeListener);
    }
}
