package dev.election.spring.bound;

import dev.election.spring.LeaderBoundLifecycleProcessor;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * Replaces the lifecycle processor in contexts with leader-only lifecycle beans, and in no other. A post-processor and not a
 * condition, since conditions don't see the beans of auto-configurations that are applied after them. An application that is prepared
 * ahead of time contains the replaced definition already.
 */
public final class LeaderBoundLifecycleRegistrar implements BeanFactoryPostProcessor {

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (beans instanceof BeanDefinitionRegistry registry
                && !ContextLifecycleProcessor.isOfApplication(beans)
                && LeaderBoundMarks.areIn(beans)) {
            if (registry.containsBeanDefinition(ContextLifecycleProcessor.NAME)) {
                // An application may forbid to override definitions.
                registry.removeBeanDefinition(ContextLifecycleProcessor.NAME);
            }
            registry.registerBeanDefinition(ContextLifecycleProcessor.NAME, definition());
        }
    }

    private static RootBeanDefinition definition() {
        RootBeanDefinition definition = new RootBeanDefinition(LeaderBoundLifecycleRegistrar.class);
        definition.setFactoryMethodName("processor");
        definition.setTargetType(LeaderBoundLifecycleProcessor.class);
        definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        definition.setLazyInit(false);
        return definition;
    }

    static LeaderBoundLifecycleProcessor processor(LeaderBoundRegistry registry) {
        LeaderBoundLifecycleProcessor processor = new LeaderBoundLifecycleProcessor(registry::isLeaderBound);
        processor.setTimeoutPerShutdownPhase(registry.phaseTimeout().toMillis());
        return processor;
    }
}
