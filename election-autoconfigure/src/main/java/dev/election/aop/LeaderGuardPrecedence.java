package dev.election.aop;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Moves the leader check back to the front when another processor has put its advice before it, as the one for asynchronous
 * methods does. Deliberately not {@code Ordered}: so it comes after all that are.
 */
public final class LeaderGuardPrecedence implements BeanPostProcessor, AopInfrastructureBean {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            Advisor[] advisors = advised.getAdvisors();
            for (int place = 1; place < advisors.length; place++) {
                if (advisors[place] instanceof LeaderGuardAdvisor guard) {
                    advised.removeAdvisor(guard);
                    advised.addAdvisor(0, guard);
                }
            }
        }
        return bean;
    }
}
