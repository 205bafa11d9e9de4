package dev.election.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/**
 * Puts the leader check around beans. It comes early, since processors that subscribe a bean's methods to a broker or a clock
 * must see the guarded bean; {@link LeaderGuardPrecedence} comes late and keeps the check before all other advice.
 */
public final class LeaderGuardPostProcessor
        implements SmartInstantiationAwareBeanPostProcessor, Ordered, AopInfrastructureBean {

    private final Supplier<GuardReader> reader;
    private final Supplier<Duration> waitForResult;
    private final GuardedElsewhere elsewhere;
    private final Supplier<CallObserver> observer;
    private final Interruptions interruptions = new Interruptions();
    private final Map<Proxied, GuardedMethods> known = new ConcurrentHashMap<>();

    /** The beans that came through here while the context started. */
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    private volatile boolean starting = true;

    /**
     * Creates a processor whose calls nobody sees.
     *
     * @param reader reads the annotations
     * @param waitForResult how long a call may wait for the first result of its election; zero not to wait
     * @param elsewhere knows of classes whose own guard is kept elsewhere; asked for those that have one
     */
    public LeaderGuardPostProcessor(
            Supplier<GuardReader> reader, Supplier<Duration> waitForResult, GuardedElsewhere elsewhere) {
        this(reader, waitForResult, elsewhere, () -> CallObserver.NONE);
    }

    /**
     * Creates the processor. The suppliers are asked when the first guarded bean is made.
     *
     * @param reader reads the annotations
     * @param waitForResult how long a call may wait for the first result of its election; zero not to wait
     * @param elsewhere knows of classes whose own guard is kept elsewhere; asked for those that have one
     * @param observer sees the calls; asked for when the first one comes
     */
    public LeaderGuardPostProcessor(
            Supplier<GuardReader> reader,
            Supplier<Duration> waitForResult,
            GuardedElsewhere elsewhere,
            Supplier<CallObserver> observer) {
        this.observer = observer;
        this.reader = reader;
        this.waitForResult = waitForResult;
        this.elsewhere = elsewhere;
    }

    /** After the creator of transactional and other proxies, which is the very first, and before everybody else. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE + 100;
    }

    /** Asked when an application is prepared at its build, so that a native image has the proxy. Names may not be known then. */
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
        if (isNotOurs(bean, type)) {
            return bean;
        }
        boolean subclassed = !Proxy.isProxyClass(bean.getClass());
        GuardedMethods methods = guardsOf(new Proxied(ClassUtils.getUserClass(type), interfacesOf(bean)));
        if (methods.isEmpty()) {
            return bean;
        }
        LeaderGuardAdvisor guard =
                new LeaderGuardAdvisor(new LeaderInterceptor(methods, interruptions, waitForResult.get(), observer));
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

    /** Whether there are guards on that class or its methods, without a look at what they say. */
    public static boolean isGuarded(Class<?> type) {
        return GuardedMethods.mayHaveSome(type, guarded -> false);
    }

    private void advise(Advised advised, LeaderGuardAdvisor guard, GuardedMethods methods) {
        advised.addAdvisor(0, guard);
        if (methods.haveCoroutines()) {
            advised.addAdvisor(new CoroutineAdvisor(new CoroutineInterceptor(methods, interruptions)));
        }
    }

    /** Names each guarded method that was found so far, with the class of its bean. */
    public void forEachGuarded(BiConsumer<Class<?>, Method> action) {
        known.values().forEach(methods -> methods.forEach(action));
    }

    /** Whether that bean was made before this processor could see it, though there are guards on it. */
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

    /** From here on no bean is missed. */
    void started() {
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

    /** Reading makes the reader, which comes through here itself. */
    private GuardedMethods guardsOf(Proxied proxied) {
        GuardedMethods methods = known.get(proxied);
        if (methods == null) {
            methods = GuardedMethods.of(proxied.type, proxied.interfaces, elsewhere, reader);
            known.put(proxied, methods);
        }
        return methods;
    }

    private record Proxied(Class<?> type, Set<Class<?>> interfaces) {}
}
