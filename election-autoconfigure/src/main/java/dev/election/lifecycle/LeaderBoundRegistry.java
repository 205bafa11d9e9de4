package dev.election.lifecycle;

import dev.election.ConditionalOnLeader;
import dev.election.Election;
import dev.election.Elections;
import dev.election.LeaderOnly;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Knows the beans of a context that live while this node leads, and binds them to their elections from when the context is ready
 * to work until it stops.
 */
public final class LeaderBoundRegistry
        implements SmartInitializingSingleton, SmartLifecycle, ApplicationListener<ApplicationEvent>, Ordered {

    private static final String UNBOUND = "";

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<Elections> elections;
    private final Duration patience;
    private final Map<String, String> electionsByBean = new ConcurrentHashMap<>();
    private final Readiness readiness;
    private final DelayedTasks retries = new DelayedTaskThread("election-leader-bound");
    private volatile boolean running;

    /** One an election, which is joined when they are made. Guarded by this. */
    private List<Supplier<LeaderBoundBeans>> found = List.of();

    /** None before the context is ready for the first time. Only changed under the lock of this; to be read without. */
    private volatile List<LeaderBoundBeans> groups = List.of();

    /**
     * Creates the registry.
     *
     * @param readiness of the context
     * @param beans where to look
     * @param elections asked for when there is something to bind
     * @param patience how long a bean may take to stop before the next one is stopped
     */
    public LeaderBoundRegistry(
            Readiness readiness,
            ConfigurableListableBeanFactory beans,
            Supplier<Elections> elections,
            Duration patience) {
        this.readiness = readiness;
        this.beans = beans;
        this.elections = elections;
        this.patience = patience;
    }

    /** Whether leadership starts and stops that bean. */
    public boolean isLeaderBound(String beanName) {
        return electionOf(beanName) != null;
    }

    /** The beans of that election that are not started, although this node leads. */
    public List<FailedStart> failedStarts(String election) {
        return groups.stream()
                .filter(group -> group.isOf(election))
                .flatMap(group -> group.failedStarts().stream())
                .toList();
    }

    /** Whatever can't work fails here, before the context is up. */
    @Override
    public synchronized void afterSingletonsInstantiated() {
        rejectUnstartable();
        Map<String, List<String>> bound = boundBeans();
        if (bound.isEmpty()) {
            return;
        }
        Elections all = elections.get();
        List<Supplier<LeaderBoundBeans>> toJoin = new ArrayList<>();
        bound.forEach((election, names) -> {
            rejectForeignProcessor(names.get(0));
            Map<String, Lifecycle> group = new LinkedHashMap<>();
            names.forEach(name -> group.put(name, beans.getBean(name, Lifecycle.class)));
            toJoin.add(() -> new LeaderBoundBeans(all.get(election), group, patience, retries));
        });
        found = List.copyOf(toJoin);
    }

    /** Not before: the elections of a parent may be under way, and whoever joins them may lead at once. */
    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (readiness.isToldBy(event)) {
            join();
        }
    }

    /** During the refresh there is nothing to bind yet, but there is when the context is started again later. */
    @Override
    public synchronized void start() {
        running = true;
        bind();
    }

    @Override
    public synchronized void stop() {
        for (LeaderBoundBeans group : groups) {
            group.unbind();
        }
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** With the elections: the last to start and the first to stop. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    /** Right before {@link ElectionLifecycle}, which starts what has been joined. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE - 1;
    }

    /** Other events don't wait for the lock: beans that stop may wait for those who publish them. */
    private synchronized void join() {
        groups = found.stream().map(Supplier::get).toList();
        if (running) {
            bind();
        }
    }

    private void bind() {
        for (LeaderBoundBeans group : groups) {
            group.bind();
        }
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
        String known = electionsByBean.get(beanName);
        if (known == null) {
            known = readElection(beanName);
            electionsByBean.put(beanName, known);
        }
        return known.equals(UNBOUND) ? null : known;
    }

    private String readElection(String beanName) {
        if (!beans.containsBean(beanName) || !beans.isTypeMatch(beanName, Lifecycle.class)) {
            return UNBOUND;
        }
        LeaderOnly brief = beans.findAnnotationOnBean(beanName, LeaderOnly.class, false);
        if (brief != null) {
            return resolved(beanName, brief.value());
        }
        ConditionalOnLeader full = beans.findAnnotationOnBean(beanName, ConditionalOnLeader.class, false);
        return full == null ? UNBOUND : resolved(beanName, full.election());
    }

    private String resolved(String beanName, String written) {
        String action = "Write a name of 1 to 64 of A-Z a-z 0-9 . _ : - or a placeholder whose property is set.";
        String name;
        try {
            name = String.valueOf(beans.resolveEmbeddedValue(written));
        } catch (IllegalArgumentException unresolved) {
            throw new LeaderBoundBeanException(
                    beanName, "there is no value for the election name '" + written + "'", action);
        }
        if (!Election.isName(name)) {
            throw new LeaderBoundBeanException(beanName, "'" + name + "' is no name of an election", action);
        }
        return name;
    }

    private void rejectUnstartable() {
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = beans.getType(name, false);
            if (type != null && !Lifecycle.class.isAssignableFrom(type) && isMarkedWhereMade(name)) {
                throw new LeaderBoundBeanException(
                        name,
                        "its type " + type.getName() + " is no Lifecycle, so leadership can't start and stop it",
                        "Let it implement SmartLifecycle, or put the annotation on its methods instead.");
            }
        }
    }

    private boolean isMarkedWhereMade(String beanName) {
        Method factory = beans.getMergedBeanDefinition(beanName) instanceof RootBeanDefinition definition
                ? definition.getResolvedFactoryMethod()
                : null;
        return factory != null
                && (AnnotatedElementUtils.hasAnnotation(factory, LeaderOnly.class)
                        || AnnotatedElementUtils.hasAnnotation(factory, ConditionalOnLeader.class));
    }

    private void rejectForeignProcessor(String beanName) {
        String name = AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME;
        // Made here if it is lazy: until then its type is that of its @Bean method, which may say less.
        if (!(beans.getBean(name) instanceof LeaderBoundLifecycleProcessor)) {
            throw new LeaderBoundBeanException(
                    beanName,
                    "the application's own '" + name + "' would start it on every node",
                    "Remove the bean '" + name + "', or let it be a "
                            + LeaderBoundLifecycleProcessor.class.getSimpleName() + ".");
        }
    }
}
