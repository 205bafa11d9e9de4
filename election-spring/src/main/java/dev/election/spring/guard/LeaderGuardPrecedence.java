package dev.election.spring.guard;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Moves the leader check back to the front when another post-processor has put its advice before it, as the one for asynchronous methods
 * does. An invocation of that advice may continue on another thread: in the former place of the check the call gets its work back. The
 * interceptor that runs guarded suspend functions is moved back to the end. Deliberately not {@code Ordered}: so it is applied after all
 * post-processors that are.
 *
 * <p>Only proxies with a leader check are changed. The processor is registered in each context all the same: whether a method is guarded is
 * known when its bean has been created, since a {@code @Bean} method may declare less than it returns. To find out before would mean to
 * read all methods of all bean classes a second time.
 */
public final class LeaderGuardPrecedence implements BeanPostProcessor, AopInfrastructureBean {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            Advisor[] advisors = advised.getAdvisors();
            for (int place = 1; place < advisors.length; place++) {
                if (advisors[place] instanceof LeaderGuardAdvisor guard) {
                    advised.removeAdvisor(guard);
                    advised.addAdvisor(place, new DefaultPointcutAdvisor(new CurrentWorkInterceptor()));
                    advised.addAdvisor(0, guard.handingOn());
                }
            }
            keepLast(advised);
        }
        return bean;
    }

    private static void keepLast(Advised advised) {
        Advisor[] advisors = advised.getAdvisors();
        for (int place = 0; place < advisors.length - 1; place++) {
            if (advisors[place] instanceof CoroutineAdvisor coroutines) {
                advised.removeAdvisor(coroutines);
                advised.addAdvisor(coroutines);
            }
        }
    }
}
