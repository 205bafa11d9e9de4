package dev.election.spring.internal.guard;

import static dev.election.spring.internal.guard.ElectionAnnotation.GUARD;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Fails at startup if a guarded bean was created before the post-processor that adds the guard. */
public final class MissedBeansCheck implements SmartInitializingSingleton {

    /**
     * Spring's test support registers this bean where mocks replace beans. Such a mock looks like a bean that was created too early.
     */
    private static final String REPLACED_BY_TEST =
            "org.springframework.test.context.bean.override.internalBeanOverrideRegistry";

    private final ConfigurableListableBeanFactory beans;
    private final LeaderGuardPostProcessor guards;

    /**
     * Creates the check.
     *
     * @param beans whose singletons to check; creates none
     * @param guards the post-processor that should have seen them
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
                throw GUARD.invalid(
                        name,
                        bean.getClass(),
                        "the bean is created before the post-processor that adds the guard",
                        "Let the post-processor that needs the bean look it up lazily (ObjectProvider), or make the @Bean"
                                + " method of that post-processor static.");
            }
        }
    }
}
