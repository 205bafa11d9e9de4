package dev.election.spring.bound;

import java.util.Set;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;

/**
 * Rejects leader-only lifecycle beans that are created after the leader-only beans of their context have been bound: nothing would start
 * them. Not while the context closes, since its lifecycle processor then creates beans that have never been used, and has to stop the others.
 *
 * @param context whose beans to check
 * @param beans of the context
 * @param bound the names of the beans that have been bound
 */
record LateLeaderBoundBeans(ApplicationContext context, ConfigurableListableBeanFactory beans, Set<String> bound)
        implements BeanPostProcessor {

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof Lifecycle
                && !bound.contains(beanName)
                && isMarkedSingleton(bean, beanName)
                && !isClosing()) {
            throw LeaderBoundMarks.invalid(
                    beanName,
                    "it is created after the start of its context, so leadership does not start it",
                    "Register its bean definition before the context is refreshed, with the annotation on its class or on"
                            + " its @Bean method.");
        }
        return bean;
    }

    private boolean isClosing() {
        return context instanceof ConfigurableApplicationContext configurable && configurable.isClosed();
    }

    private boolean isMarkedSingleton(Object bean, String beanName) {
        return beans.containsBeanDefinition(beanName)
                && beans.getMergedBeanDefinition(beanName).isSingleton()
                && (LeaderBoundMarks.isMarked(bean.getClass()) || LeaderBoundMarks.isMarkedWhereMade(beans, beanName));
    }
}
