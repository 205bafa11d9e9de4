package dev.election.spring.guard;

import dev.election.spring.calls.CallObserver;
import dev.election.spring.calls.JobGate;
import dev.election.spring.calls.OverdueWork;
import dev.election.spring.internal.delay.DelayedTaskThread;
import dev.election.spring.internal.delay.DelayedTasks;
import dev.election.spring.internal.interruption.CallLimits;
import dev.election.spring.internal.interruption.Interruptions;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/**
 * Adds the leader check to beans with guarded methods. It is applied early, since post-processors that register methods of a bean as
 * message listeners or scheduled tasks must see the guarded bean. {@link LeaderGuardPrecedence} is applied late and keeps the check before
 * all other advice.
 */
public final class LeaderGuardPostProcessor
        implements SmartInstantiationAwareBeanPostProcessor,
                SmartInitializingSingleton,
                BeanFactoryAware,
                Ordered,
                AopInfrastructureBean {

    private final Supplier<GuardReader> reader;
    private final GuardedElsewhere elsewhere;
    private final Supplier<CallObserver> observer;
    private final Supplier<JobGate> jobs;
    private final Interruptions interruptions = new Interruptions();
    private final OverdueWork overdue;
    private final CallLimits limits;
    private final Map<Proxied, GuardedMethods> known = new ConcurrentHashMap<>();

    /** The beans that this processor has seen while the context started. */
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    private volatile boolean starting = true;

    private @Nullable ConfigurableListableBeanFactory beans;

    /**
     * Creates a processor without an observer.
     *
     * @param reader reads the annotations
     * @param elsewhere names the classes whose guard is enforced elsewhere; called for classes with a guard
     */
    public LeaderGuardPostProcessor(Supplier<GuardReader> reader, GuardedElsewhere elsewhere) {
        this(reader, elsewhere, () -> CallObserver.NONE, () -> JobGate.NONE);
    }

    /**
     * Creates the processor. The suppliers are called when the first guarded bean is created.
     *
     * @param reader reads the annotations
     * @param elsewhere names the classes whose guard is enforced elsewhere; called for classes with a guard
     * @param observer observes the calls; its supplier is called at the first guarded call
     * @param jobs decides on the calls of scheduled jobs
     */
    public LeaderGuardPostProcessor(
            Supplier<GuardReader> reader,
            GuardedElsewhere elsewhere,
            Supplier<CallObserver> observer,
            Supplier<JobGate> jobs) {
        this(reader, elsewhere, observer, jobs, new DelayedTaskThread("election-call-limits"));
    }

    LeaderGuardPostProcessor(
            Supplier<GuardReader> reader,
            GuardedElsewhere elsewhere,
            Supplier<CallObserver> observer,
            Supplier<JobGate> jobs,
            DelayedTasks tasks) {
        this.overdue = new OverdueWork(() -> reader.get().node());
        this.limits = new CallLimits(overdue, tasks);
        this.observer = observer;
        this.jobs = jobs;
        this.reader = reader;
        this.elsewhere = elsewhere;
    }

    @Override
    public void setBeanFactory(BeanFactory factory) {
        beans = factory instanceof ConfigurableListableBeanFactory listable ? listable : null;
    }

    /**
     * Places this processor after the creator of transactional and other proxies, which has the highest precedence, and before all others.
     */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE + 100;
    }

    /** Called when an application is processed ahead of time, so that a native image contains the proxy. Properties may be unset then. */
    @Override
    public Class<?> determineBeanType(Class<?> beanClass, String beanName) {
        boolean proxied = Proxy.isProxyClass(beanClass) || ClassUtils.getUserClass(beanClass) != beanClass;
        if (proxied
                || Modifier.isFinal(beanClass.getModifiers())
                || !GuardedMethods.mayHaveSome(beanClass, elsewhere)) {
            return beanClass;
        }
        ProxyFactory factory = new ProxyFactory();
        factory.setTargetClass(beanClass);
        factory.setProxyTargetClass(true);
        return factory.getProxyClass(beanClass.getClassLoader());
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (starting) {
            seen.add(beanName);
        }
        Class<?> type = AopUtils.getTargetClass(bean);
        Proxied proxied = new Proxied(ClassUtils.getUserClass(type), interfacesOf(bean));
        if (isNotOurs(bean, type) || !GuardedMethods.mayBeIn(proxied.type, proxied.interfaces)) {
            return bean;
        }
        boolean subclassed = !Proxy.isProxyClass(bean.getClass());
        GuardedMethods methods = guardsOf(proxied);
        if (methods.isEmpty()) {
            return bean;
        }
        GuardProblems problems = new GuardProblems();
        IdentityHashMap<GuardedMethods.Guarded, JobGate.Job> known = methods.jobs(beanName, jobs, problems);
        problems.throwIfAny();
        LeaderGuardAdvisor guard =
                new LeaderGuardAdvisor(new LeaderInterceptor(methods, known, interruptions, limits, observer));
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            advise(advised, guard, methods);
            return bean;
        }
        ProxyFactory factory = subclassed ? new ProxyFactory() : new ProxyFactory(bean);
        factory.setTarget(bean);
        factory.setProxyTargetClass(subclassed);
        advise(factory, guard, methods);
        return factory.getProxy(type.getClassLoader());
    }

    /** Returns what gives up leadership over work that runs for too long. Others use the same object, so that an abdication is logged once. */
    public OverdueWork overdueWork() {
        return overdue;
    }

    /** Whether that class or one of its methods has a guard. The guards are not read. */
    public static boolean isGuarded(Class<?> type) {
        return GuardedMethods.mayHaveSome(type, guarded -> false);
    }

    private void advise(Advised advised, LeaderGuardAdvisor guard, GuardedMethods methods) {
        advised.addAdvisor(0, guard);
        if (methods.haveCoroutines()) {
            advised.addAdvisor(new CoroutineAdvisor(new CoroutineInterceptor(methods, interruptions)));
        }
    }

    /** Passes each guarded method that was found so far to the action, with the class of its bean. */
    public void forEachGuarded(BiConsumer<Class<?>, Method> action) {
        known.values().forEach(methods -> methods.forEach(action));
    }

    /** Whether that bean has guards but was created before this processor could see it. */
    boolean hasMissed(Object bean, String beanName) {
        Class<?> type = AopUtils.getTargetClass(bean);
        return !seen.contains(beanName) && !isNotOurs(bean, type) && mayHaveGuards(bean, type);
    }

    private boolean mayHaveGuards(Object bean, Class<?> type) {
        if (GuardedMethods.mayHaveSome(ClassUtils.getUserClass(type), elsewhere)) {
            return true;
        }
        for (Class<?> face : interfacesOf(bean)) {
            if (GuardedMethods.mayHaveSome(face, elsewhere)) {
                return true;
            }
        }
        return false;
    }

    /** Fails if this processor has missed a guarded bean. Beans that are created from now on are always seen. */
    @Override
    public void afterSingletonsInstantiated() {
        ConfigurableListableBeanFactory all = beans;
        if (all != null) {
            MissedBeans.rejectIn(all, this);
        }
        starting = false;
        seen.clear();
    }

    private static boolean isNotOurs(Object bean, Class<?> type) {
        return bean instanceof AopInfrastructureBean || type.getName().startsWith("java.");
    }

    /** A proxy may have interfaces that its target does not have, as that of a repository does. */
    private static Set<Class<?>> interfacesOf(Object bean) {
        return Proxy.isProxyClass(bean.getClass())
                ? ClassUtils.getAllInterfacesForClassAsSet(bean.getClass())
                : Set.of();
    }

    /**
     * The guarded methods of a class, found once. Not by computeIfAbsent: the call may create the reader, and this processor sees that bean
     * too.
     */
    private GuardedMethods guardsOf(Proxied proxied) {
        GuardedMethods methods = known.get(proxied);
        if (methods == null) {
            GuardProblems problems = new GuardProblems();
            methods = GuardedMethods.of(proxied.type, proxied.interfaces, elsewhere, reader, problems);
            if (!problems.isEmpty()) {
                collectOthers(proxied.type, problems);
                problems.throwIfAny();
            }
            known.put(proxied, methods);
        }
        return methods;
    }

    /** Adds the problems of beans that are not created yet, since the start fails: otherwise each would fail a start of its own. */
    private void collectOthers(Class<?> failed, GuardProblems problems) {
        ConfigurableListableBeanFactory all = beans;
        if (all == null) {
            return;
        }
        Set<Class<?>> looked = new HashSet<>(Set.of(failed));
        known.keySet().forEach(proxied -> looked.add(proxied.type));
        for (String name : all.getBeanDefinitionNames()) {
            try {
                Class<?> declared = all.getType(name, false);
                Class<?> type = declared == null ? Object.class : ClassUtils.getUserClass(declared);
                if (isLikelySubclassed(type) && looked.add(type)) {
                    GuardedMethods unused = GuardedMethods.of(type, Set.of(), elsewhere, reader, problems);
                }
            } catch (RuntimeException | LinkageError unreadable) {
                // Whatever is wrong with that bean, the next start says it.
            }
        }
    }

    /** A final class may be meant to be called through its interfaces, which is decided when the bean is made. */
    private static boolean isLikelySubclassed(Class<?> type) {
        boolean isHidden = Modifier.isFinal(type.getModifiers())
                && ClassUtils.getAllInterfacesForClassAsSet(type).size() > 0;
        return !type.isInterface() && !Proxy.isProxyClass(type) && !isHidden;
    }

    private record Proxied(Class<?> type, Set<Class<?>> interfaces) {}
}
