package dev.election.aop;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Moves the leader check back to the front when another processor has put its advice before it, as the one for asynchronous
 * methods does. Where it stood, behind that advice, the call may be on another thread, and finds its work again. What runs guarded
 * suspend functions is moved back to the end. Deliberately not {@code Ordered}: so it comes after all that are.
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
