package dev.election.spring.lifecycle;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;

/**
 * Declares that the elections of a context depend on the other lifecycle beans of their phase. Most beans have this phase, which is
 * the last one and the default. Within a phase the lifecycle processor stops a bean before those it depends on and starts it after
 * them, and follows no order otherwise.
 */
final class StopOrder {

    private StopOrder() {}

    /**
     * Covers the beans that exist when the context starts. The processor stops beans that are defined later after those that were
     * defined earlier.
     */
    static void putFirst(SmartLifecycle elections, ApplicationContext context) {
        if (!(context instanceof ConfigurableApplicationContext configurable)) {
            return;
        }
        ConfigurableListableBeanFactory beans = configurable.getBeanFactory();
        for (String own : beans.getBeanNamesForType(elections.getClass(), false, false)) {
            if (beans.getSingleton(own) == elections) {
                declare(own, elections.getPhase(), beans);
            }
        }
    }

    private static void declare(String elections, int phase, ConfigurableListableBeanFactory beans) {
        for (String found : beans.getBeanNamesForType(Lifecycle.class, false, false)) {
            String name = BeanFactoryUtils.transformedBeanName(found);
            boolean samePhase = beans.getSingleton(name) instanceof Phased bean && bean.getPhase() == phase;
            if (samePhase && !name.equals(elections)) {
                beans.registerDependentBean(name, elections);
            }
        }
    }
}
