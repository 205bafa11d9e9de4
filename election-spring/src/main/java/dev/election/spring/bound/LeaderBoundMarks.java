package dev.election.spring.bound;

import dev.election.ConditionalOnLeader;
import dev.election.ElectionConfigurationException;
import dev.election.LeaderOnly;
import dev.election.spring.annotation.ElectionAnnotation;
import dev.election.spring.annotation.LibraryAnnotations;
import dev.election.spring.guard.MarkedBeans;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.Lifecycle;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.MethodMetadata;

/** Reads which beans of a context are marked leader-only, on their classes or on their {@code @Bean} methods. */
final class LeaderBoundMarks {

    private static final String UNBOUND = "";

    private final ConfigurableListableBeanFactory beans;
    private final Map<String, String> electionsByBean = new ConcurrentHashMap<>();

    LeaderBoundMarks(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Whether the bean definitions of a context announce a leader-only lifecycle bean. Creates no bean and loads no class that a
     * look-up by type does not load. A {@code @Bean} method that is marked counts whatever return type it declares.
     *
     * @param beans of the context, with all bean definitions registered
     */
    static boolean areIn(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanNamesForType(Lifecycle.class, false, false)) {
            if (mayBeMarked(beans, name) && MarkedBeans.isMarked(beans, name)) {
                return true;
            }
        }
        for (String name : beans.getBeanDefinitionNames()) {
            if (beans.getBeanDefinition(name) instanceof AnnotatedBeanDefinition definition
                    && isMarked(definition.getFactoryMethodMetadata())) {
                return true;
            }
        }
        return false;
    }

    /** The election to which a lifecycle bean is bound, {@code null} if it is bound to none. */
    @Nullable
    String electionOf(String beanName) {
        String known = electionsByBean.get(beanName);
        if (known == null) {
            known = readElection(beanName);
            electionsByBean.put(beanName, known);
        }
        return known.equals(UNBOUND) ? null : known;
    }

    /** Fails if leadership can't start and stop a bean whose {@code @Bean} method is marked. */
    void rejectUnstartable() {
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = beans.getType(name, false);
            if (type != null && !Lifecycle.class.isAssignableFrom(type) && isMarkedWhereMade(beans, name)) {
                throw invalid(
                        name,
                        "its type " + type.getName() + " does not implement Lifecycle, so leadership can't start and"
                                + " stop it",
                        "Let it implement SmartLifecycle, or put the annotation on its methods instead.");
            }
        }
    }

    /** False only if no search would find a mark: to search every bean takes many times as long. */
    private static boolean mayBeMarked(ConfigurableListableBeanFactory beans, String name) {
        Class<?> type = beans.getType(name, false);
        if (type == null || LibraryAnnotations.mayBeOn(type)) {
            return true;
        }
        return beans.containsBeanDefinition(name)
                && ((beans.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition
                                && definition.hasBeanClass()
                                && LibraryAnnotations.mayBeOn(definition.getBeanClass()))
                        || LibraryAnnotations.factoryMethod(beans, name) != null);
    }

    static boolean isMarked(AnnotatedElement element) {
        return AnnotatedElementUtils.hasAnnotation(element, LeaderOnly.class)
                || AnnotatedElementUtils.hasAnnotation(element, ConditionalOnLeader.class);
    }

    private static boolean isMarked(@Nullable MethodMetadata factory) {
        return factory != null
                && (factory.isAnnotated(LeaderOnly.class.getName())
                        || factory.isAnnotated(ConditionalOnLeader.class.getName()));
    }

    /** Whether the {@code @Bean} method of that bean is marked. Does not look up its type, so it can be called while it is created. */
    static boolean isMarkedWhereMade(ConfigurableListableBeanFactory beans, String beanName) {
        Method factory = LibraryAnnotations.factoryMethod(beans, beanName);
        return factory != null && isMarked(factory);
    }

    /** Creates the error for a marked bean that leadership can't start and stop. */
    static ElectionConfigurationException invalid(String beanName, String problem, String action) {
        return new ElectionConfigurationException(
                "The bean '" + beanName + "' is marked leader-only, but " + problem, action);
    }

    private String readElection(String beanName) {
        if (!beans.containsBean(beanName)
                || !beans.isTypeMatch(beanName, Lifecycle.class)
                || !mayBeMarked(beans, beanName)) {
            return UNBOUND;
        }
        LeaderOnly brief = beans.findAnnotationOnBean(beanName, LeaderOnly.class, false);
        if (brief != null) {
            return resolved(beanName, brief.value());
        }
        ConditionalOnLeader full = beans.findAnnotationOnBean(beanName, ConditionalOnLeader.class, false);
        return full == null ? UNBOUND : resolved(beanName, full.election());
    }

    private String resolved(String beanName, String written) {
        return ElectionAnnotation.electionName(
                text -> String.valueOf(beans.resolveEmbeddedValue(text)),
                written,
                (problem, action) -> invalid(beanName, problem, action));
    }
}
