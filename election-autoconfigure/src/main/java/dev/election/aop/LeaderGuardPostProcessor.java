package dev.election.aop;

import dev.election.ConditionalOnLeader;
import dev.election.LeaderOnly;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.Lifecycle;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Puts the leader check before everything else that surrounds a bean. It is deliberately not {@code Ordered}: so it comes after
 * the processors that make methods asynchronous or transactional, whose advice it precedes, and before the one that schedules
 * them, which must see the guarded bean.
 */
public final class LeaderGuardPostProcessor implements BeanPostProcessor, AopInfrastructureBean {

    private final Supplier<GuardReader> reader;
    private final Supplier<Duration> waitForResult;
    private final Interruptions interruptions = new Interruptions();

    /**
     * Creates the processor. The suppliers are asked when the first guarded bean is made.
     *
     * @param reader reads the annotations
     * @param waitForResult how long a call may wait for the first result of its election; zero not to wait
     */
    public LeaderGuardPostProcessor(Supplier<GuardReader> reader, Supplier<Duration> waitForResult) {
        this.reader = reader;
        this.waitForResult = waitForResult;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> type = AopUtils.getTargetClass(bean);
        if (bean instanceof AopInfrastructureBean || bean instanceof Lifecycle || !mayBeGuarded(type)) {
            return bean;
        }
        GuardedMethods methods = GuardedMethods.of(ClassUtils.getUserClass(type), reader.get());
        if (methods.isEmpty()) {
            return bean;
        }
        Advisor guard = new DefaultPointcutAdvisor(new LeaderInterceptor(methods, interruptions, waitForResult.get()));
        if (bean instanceof Advised proxied && !proxied.isFrozen()) {
            proxied.addAdvisor(0, guard);
            return bean;
        }
        ProxyFactory factory = new ProxyFactory();
        factory.setTarget(bean);
        factory.setProxyTargetClass(true);
        factory.addAdvisor(guard);
        return factory.getProxy(type.getClassLoader());
    }

    /** Spares the search through the many beans of the framework, which can't carry our annotations. */
    private static boolean mayBeGuarded(Class<?> type) {
        return !type.getName().startsWith("org.springframework.")
                && AnnotationUtils.isCandidateClass(type, Set.of(LeaderOnly.class, ConditionalOnLeader.class));
    }
}
