package dev.election.spring.guard;

import static dev.election.spring.annotation.ElectionAnnotation.GUARD;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Fails at startup if a guarded bean was created before the post-processor that adds the guard. Spring itself only logs that such a bean is
 * not eligible for getting processed by all post-processors.
 */
final class MissedBeans {

    /**
     * Spring's test support registers this bean where mocks replace beans. Such a mock looks like a bean that was created too early.
     */
    private static final String REPLACED_BY_TEST =
            "org.springframework.test.context.bean.override.internalBeanOverrideRegistry";

    private MissedBeans() {}

    /**
     * Checks the singletons that there are. Creates none.
     *
     * @param guards the post-processor that should have seen them
     */
    static void rejectIn(ConfigurableListableBeanFactory beans, LeaderGuardPostProcessor guards) {
        if (beans.containsSingleton(REPLACED_BY_TEST)) {
            return;
        }
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
