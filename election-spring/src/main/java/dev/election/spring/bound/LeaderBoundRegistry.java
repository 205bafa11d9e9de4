package dev.election.spring.bound;

import dev.election.Elections;
import dev.election.spring.internal.delay.DelayedTaskThread;
import dev.election.spring.internal.delay.DelayedTasks;
import dev.election.spring.lifecycle.ContextElections;
import dev.election.spring.lifecycle.Readiness;
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
 * Finds the leader-only lifecycle beans of a context and binds them to their elections from when the context is ready until it stops.
 */
public final class LeaderBoundRegistry
        implements SmartInitializingSingleton, SmartLifecycle, ApplicationListener<ApplicationEvent>, Ordered {

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<Elections> elections;
    private final Duration patience;
    private final boolean givesUp;
    private final LeaderBoundMarks marks;
    private final Readiness readiness;
    private final DelayedTasks retries = new DelayedTaskThread("election-leader-bound");
    private volatile boolean running;

    /** The groups of beans, one for each election, which is joined when its beans are bound. Guarded by this. */
    private List<Supplier<LeaderBoundBeans>> found = List.of();

    /**
     * The groups that are bound, empty before the context is ready for the first time. Changed only under the lock of this, and read
     * without it.
     */
    private volatile List<LeaderBoundBeans> groups = List.of();

    /**
     * Creates the registry.
     *
     * @param readiness of the context
     * @param beans of the context
     * @param elections called when there are beans to bind
     * @param patience how long a bean may take to stop before the next one is stopped
     * @param givesUp whether leadership is given up when the start of a bean has failed several times
     */
    public LeaderBoundRegistry(
            Readiness readiness,
            ConfigurableListableBeanFactory beans,
            Supplier<Elections> elections,
            Duration patience,
            boolean givesUp) {
        this.readiness = readiness;
        this.beans = beans;
        this.marks = new LeaderBoundMarks(beans);
        this.elections = elections;
        this.patience = patience;
        this.givesUp = givesUp;
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

    /** Fails if a leader-only bean can't be started and stopped by leadership, before the context starts its beans. */
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
        beans.addBeanPostProcessor(new LateLeaderBoundBeans(readiness.context(), beans, names));
    }

    /** Joins only when the context is ready: the elections of a parent may be running, and this node may lead at once. */
    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (readiness.isToldBy(event)) {
            join();
        }
    }

    /** Binds nothing during the refresh. When the context is started again later, the beans are bound again. */
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

    /** The phase of the elections: the last to start and the first to stop. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    /** Places this bean right before {@link ContextElections}, which joins another election where none is joined yet. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE - 2;
    }

    /**
     * Joins the elections under the lock, which not each event takes: a bean that is stopping may wait for a thread that publishes an
     * event.
     */
    private synchronized void join() {
        groups = found.stream().map(Supplier::get).toList();
        if (running) {
            bind();
        }
    }

    /** The elections are joined when the context is ready. Guarded by this. */
    private void prepare(Map<String, List<String>> bound) {
        Elections all = elections.get();
        List<Supplier<LeaderBoundBeans>> toJoin = new ArrayList<>();
        bound.forEach((election, names) -> {
            ContextLifecycleProcessor.requireLeaderBound(beans, names.get(0));
            Map<String, Lifecycle> group = new LinkedHashMap<>();
            names.forEach(name -> group.put(name, beans.getBean(name, Lifecycle.class)));
            toJoin.add(() -> new LeaderBoundBeans(all.get(election), group, patience, retries, givesUp));
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
