package dev.election.spring.guard;

import dev.election.ConditionalOnLeader;
import dev.election.LeaderOnly;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Finds the beans of a context that are marked leader-only, whether or not the mark is enforced. */
public final class MarkedBeans {

    private MarkedBeans() {}

    /** Returns the names of the marked beans. Creates no bean. */
    public static List<String> in(ConfigurableListableBeanFactory beans) {
        return Stream.of(beans.getBeanDefinitionNames())
                .filter(name -> isMarked(beans, name) || hasMarkedMethods(beans, name))
                .toList();
    }

    /** Whether a bean is marked on its type or on its {@code @Bean} method. */
    public static boolean isMarked(ConfigurableListableBeanFactory beans, String name) {
        return beans.findAnnotationOnBean(name, LeaderOnly.class, false) != null
                || beans.findAnnotationOnBean(name, ConditionalOnLeader.class, false) != null;
    }

    private static boolean hasMarkedMethods(ConfigurableListableBeanFactory beans, String name) {
        Class<?> type = beans.getType(name, false);
        return type != null && GuardedMethods.mayHaveSome(ClassUtils.getUserClass(type), other -> false);
    }
}
