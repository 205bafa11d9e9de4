package dev.election.fencing.http;

import dev.election.spring.annotation.LibraryAnnotations;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;

/** Handlers that require a token. */
public final class TokenHandlers {

    private TokenHandlers() {}

    /** Whether that one does. */
    public static boolean requireToken(HandlerMethod handler) {
        return find(handler) != null;
    }

    /** The class that was written for a handler, which may be behind a proxy. */
    public static Class<?> typeOf(HandlerMethod handler, ConfigurableListableBeanFactory beans) {
        Class<?> target = handler.getBean() instanceof String name ? typeOf(name, beans) : null;
        return target == null ? handler.getBeanType() : target;
    }

    /** Whether a bean of that context does. */
    public static boolean areIn(ConfigurableListableBeanFactory beans) {
        return findUnchecked(beans, Set.of()).isPresent();
    }

    /** The class of a bean that requires tokens, and is not among those where they are checked. */
    public static Optional<Class<?>> findUnchecked(ConfigurableListableBeanFactory beans, Set<Class<?>> checked) {
        for (Iterator<String> names = beans.getBeanNamesIterator(); names.hasNext(); ) {
            String name = names.next();
            boolean isAbstract = beans.containsBeanDefinition(name)
                    && beans.getBeanDefinition(name).isAbstract();
            Class<?> type = isAbstract ? null : typeOf(name, beans);
            if (type != null
                    && !type.getName().startsWith("org.springframework.")
                    && !checked.contains(type)
                    && marks(type)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    static @Nullable RequireFencingToken find(HandlerMethod handler) {
        RequireFencingToken ofMethod =
                AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), RequireFencingToken.class);
        return ofMethod != null
                ? ofMethod
                : AnnotatedElementUtils.findMergedAnnotation(handler.getBeanType(), RequireFencingToken.class);
    }

    private static @Nullable Class<?> typeOf(String bean, ConfigurableListableBeanFactory beans) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
        return type == null ? null : ClassUtils.getUserClass(type);
    }

    private static boolean marks(Class<?> type) {
        if (!LibraryAnnotations.mayBeOn(type)) {
            return false;
        }
        if (AnnotatedElementUtils.hasAnnotation(type, RequireFencingToken.class)) {
            return true;
        }
        MetadataLookup<Boolean> isMarked =
                method -> AnnotatedElementUtils.hasAnnotation(method, RequireFencingToken.class) ? Boolean.TRUE : null;
        return !MethodIntrospector.selectMethods(type, isMarked).isEmpty();
    }
}
