package dev.election.lifecycle;

import dev.election.ConditionalOnLeader;
import dev.election.Elections;
import dev.election.LeaderOnly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.core.type.MethodMetadata;

/** Knows the beans that live while this node leads, and binds them to their elections. */
public final class LeaderBoundRegistry implements SmartInitializingSingleton {

    private static final String UNBOUND = "";

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<Elections> elections;
    private final Duration patience;
    private final Map<String, String> electionsByBean = new ConcurrentHashMap<>();

    /**
     * Creates the registry.
     *
     * @param beans where to look
     * @param elections asked for when there is something to bind
     * @param patience how long a bean may take to stop before the next one is stopped
     */
    public LeaderBoundRegistry(
            ConfigurableListableBeanFactory beans, Supplier<Elections> elections, Duration patience) {
        this.beans = beans;
        this.elections = elections;
        this.patience = patience;
    }

    /** Whether leadership starts and stops that bean. */
    public boolean isLeaderBound(String beanName) {
        return electionOf(beanName) != null;
    }

    /** The elections that beans are bound to. */
    public Set<String> names() {
        return boundBeans().keySet();
    }

    @Override
    public void afterSingletonsInstantiated() {
        rejectUnstartable();
        boundBeans().forEach((election, names) -> {
            List<Lifecycle> group = names.stream()
                    .map(name -> beans.getBean(name, Lifecycle.class))
                    .toList();
            elections
                    .get()
                    .get(election)
                    .addListener(new LeaderBoundBeans(elections.get().get(election), group, patience));
        });
    }

    private Map<String, List<String>> boundBeans() {
        Map<String, List<String>> bound = new LinkedHashMap<>();
        for (String name : beans.getBeanNamesForType(Lifecycle.class, false, false)) {
            String election = electionOf(name);
            if (election != null) {
                bound.computeIfAbsent(election, key -> new ArrayList<>()).add(name);
            }
        }
        return bound;
    }

    private @Nullable String electionOf(String beanName) {
        String election = electionsByBean.computeIfAbsent(beanName, this::readElection);
        return election.equals(UNBOUND) ? null : election;
    }

    private String readElection(String beanName) {
        if (!beans.containsBean(beanName) || !beans.isTypeMatch(beanName, Lifecycle.class)) {
            return UNBOUND;
        }
        LeaderOnly brief = beans.findAnnotationOnBean(beanName, LeaderOnly.class, false);
        if (brief != null) {
            return resolved(brief.value());
        }
        ConditionalOnLeader full = beans.findAnnotationOnBean(beanName, ConditionalOnLeader.class, false);
        return full == null ? UNBOUND : resolved(full.election());
    }

    private String resolved(String name) {
        String resolved = beans.resolveEmbeddedValue(name);
        return resolved == null ? name : resolved;
    }

    private void rejectUnstartable() {
        for (String name : beans.getBeanDefinitionNames()) {
            BeanDefinition definition = beans.getBeanDefinition(name);
            MethodMetadata factory = definition instanceof AnnotatedBeanDefinition annotated
                    ? annotated.getFactoryMethodMetadata()
                    : null;
            boolean marked = factory != null
                    && (factory.isAnnotated(LeaderOnly.class.getName())
                            || factory.isAnnotated(ConditionalOnLeader.class.getName()));
            Class<?> type = marked ? beans.getType(name) : null;
            if (type != null && !Lifecycle.class.isAssignableFrom(type)) {
                throw new LeaderBoundBeanException(name, type);
            }
        }
    }
}
