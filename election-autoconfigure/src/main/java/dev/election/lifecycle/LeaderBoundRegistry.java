package dev.election.lifecycle;

import dev.election.Elections;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.Ordered;

/**
 * Knows the beans of a context that live while this node leads, and binds them to their elections from when the context is ready
 * to work until it stops.
 */
public final class LeaderBoundRegistry
        implements SmartInitializingSingleton, SmartLifecycle, ApplicationListener<ApplicationEvent>, Ordered {

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<Elections> elections;
    private final Duration patience;
    private final LeaderBoundMarks marks;
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
        this.marks = new LeaderBoundMarks(beans);
        this.elections = elections;
        this.patience = patience;
    }

    /** Whether leadership starts and stops that bean. */
    public boolean isLeaderBound(String beanName) {
        return marks.electionOf(beanName) != null;
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
        marks.rejectUnstartable();
        Map<String, List<String>> bound = boundBeans();
        if (!bound.isEmpty()) {
            prepare(bound);
        }
        Set<String> names = bound.values().stream()
                .flatMap(List::stream)
                .map(BeanFactoryUtils::transformedBeanName)
                .collect(Collectors.toUnmodifiableSet());
        beans.addBeanPostProcessor(new LateLeaderBoundBeans(beans, names));
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

    /** Whatever is joined is joined later. Guarded by this. */
    private void prepare(Map<String, List<String>> bound) {
        Elections all = elections.get();
        List<Supplier<LeaderBoundBeans>> toJoin = new ArrayList<>();
        bound.forEach((election, names) -> {
            ContextLifecycleProcessor.requireLeaderBound(beans, names.get(0));
            Map<String, Lifecycle> group = new LinkedHashMap<>();
            names.forEach(name -> group.put(name, beans.getBean(name, Lifecycle.class)));
            toJoin.add(() -> new LeaderBoundBeans(all.get(election), group, patience, retries));
        });
        found = List.copyOf(toJoin);
    }

    private void bind() {
        for (LeaderBoundBeans group : groups) {
            group.bind();
        }
    }

    private Map<String, List<String>> boundBeans() {
        Map<String, List<String>> bound = new LinkedHashMap<>();
        for (String name : beans.getBeanNamesForType(Lifecycle.class, false, false)) {
            String election = marks.electionOf(name);
            if (election != null) {
                bound.computeIfAbsent(election, key -> new ArrayList<>()).add(name);
            }
        }
        return bound;
    }
}
