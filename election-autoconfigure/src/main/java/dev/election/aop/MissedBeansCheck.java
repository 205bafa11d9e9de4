package dev.election.aop;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** Fails at startup if a guarded bean was made so early that no guard could be put around it. */
public final class MissedBeansCheck implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final LeaderGuardPostProcessor guards;

    /**
     * Creates the check.
     *
     * @param beans whose singletons to check; none is made for it
     * @param guards what should have seen them
     */
    public MissedBeansCheck(ConfigurableListableBeanFactory beans, LeaderGuardPostProcessor guards) {
        this.beans = beans;
        this.guards = guards;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanDefinitionNames()) {
            Object bean = beans.getSingleton(name);
            if (bean != null && guards.hasMissed(bean, name) && !isOfTest(beans.getBeanDefinition(name))) {
                throw new UnguardableMethodException(
                        name,
                        bean.getClass(),
                        "it is made before guards can be put around it",
                        "Let the post-processor that needs it get it lazily (ObjectProvider), or make its @Bean method"
                                + " static.");
            }
        }
        guards.started();
    }

    /** Spring's tests put mocks in the place of beans; their definitions are bare, so that nothing can be made of them. */
    private static boolean isOfTest(BeanDefinition definition) {
        return definition.getClass() == RootBeanDefinition.class
                && ((RootBeanDefinition) definition).getInstanceSupplier() == null
                && definition.getFactoryMethodName() == null
                && definition.getSource() == null;
    }
}
