package dev.election.spring.bound;

import dev.election.spring.LeaderBoundLifecycleProcessor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.type.MethodMetadata;

/** The bean that starts and stops the lifecycle beans of a context. */
final class ContextLifecycleProcessor {

    /** The name by which a context finds the processor. A context without such a bean creates a processor with default settings. */
    static final String NAME = AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME;

    private static final String SPRING_BOOT =
            "org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration";

    private ContextLifecycleProcessor() {}

    /** Whether the application defines the processor, and not Spring Boot or nobody. */
    static boolean isOfApplication(ConfigurableListableBeanFactory beans) {
        if (!beans.containsBeanDefinition(NAME)) {
            return beans.containsLocalBean(NAME);
        }
        return !SPRING_BOOT.equals(declaringClass(beans.getBeanDefinition(NAME)));
    }

    /** Fails unless the processor leaves leader-only beans to leadership, of which that bean is one. */
    static void requireLeaderBound(ConfigurableListableBeanFactory beans, String beanName) {
        // Created here if it is lazy: until then its type is that of its @Bean method, which may say less.
        if (beans.containsLocalBean(NAME) && beans.getBean(NAME) instanceof LeaderBoundLifecycleProcessor) {
            return;
        }
        if (isOfApplication(beans)) {
            throw LeaderBoundMarks.invalid(
                    beanName,
                    "the application's own '" + NAME + "' would start it on every node",
                    "Remove the bean '" + NAME + "', or let it be a "
                            + LeaderBoundLifecycleProcessor.class.getSimpleName() + ".");
        }
        throw LeaderBoundMarks.invalid(
                beanName,
                "its bean definition does not show this, so the context would start it on every node",
                "Put the annotation on its @Bean method, or declare the annotated class as the return type of this method."
                        + " Register the bean definition before the bean factory post-processors run.");
    }

    private static @Nullable String declaringClass(BeanDefinition definition) {
        MethodMetadata factory =
                definition instanceof AnnotatedBeanDefinition annotated ? annotated.getFactoryMethodMetadata() : null;
        return factory != null ? factory.getDeclaringClassName() : definition.getFactoryBeanName();
    }
}
