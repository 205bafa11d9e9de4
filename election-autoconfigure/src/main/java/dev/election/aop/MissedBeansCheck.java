package dev.election.aop;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Fails at startup if a guarded bean was made so early that no guard could be put around it. */
public final class MissedBeansCheck implements SmartInitializingSingleton {

    /**
     * Spring's tests register this where they put mocks in the place of beans. Such a mock looks like a bean that was made too
     * early.
     */
    private static final String REPLACED_BY_TEST =
            "org.springframework.test.context.bean.override.internalBeanOverrideRegistry";

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
        if (!beans.containsSingleton(REPLACED_BY_TEST)) {
            rejectMissed();
        }
        guards.started();
    }

    private void rejectMissed() {
        for (String name : beans.getBeanDefinitionNames()) {
            Object bean = beans.getSingleton(name);
            if (bean != null && guards.hasMissed(bean, name)) {
                throw new UnguardableMethodException(
                        name,
                        bean.getClass(),
                        "it is made before guards can be put around it",
                        "Let the post-processor that needs it get it lazily (ObjectProvider), or make its @Bean method"
                                + " static.");
            }
        }
    }
}
