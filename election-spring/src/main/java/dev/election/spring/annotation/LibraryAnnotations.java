package dev.election.spring.annotation;

import dev.election.LeaderOnly;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.net.URL;
import java.security.CodeSource;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;

/**
 * Rules out classes that have no annotation of this library: neither on themselves nor on a method, of their own or of a superclass or an
 * interface. Nearly all beans of an application are ruled out, and each class is looked at once. To search every method of every bean for an
 * annotation, as one that is inherited has to be searched, takes many times as long.
 */
public final class LibraryAnnotations {

    private static final String LIBRARY = LeaderOnly.class.getPackageName() + ".";

    /** Packages of most beans of an application. No class in them has an annotation of this library, if it comes with the framework. */
    private static final List<String> FRAMEWORKS = List.of(
            "io.micrometer.",
            "org.springframework.aop.",
            "org.springframework.beans.",
            "org.springframework.boot.",
            "org.springframework.context.",
            "org.springframework.core.",
            "org.springframework.data.",
            "org.springframework.http.",
            "org.springframework.web.",
            "tools.jackson.");

    /** Where these come from. An application that has a class of its own in such a package has it elsewhere. */
    private static final Pattern JAR = Pattern.compile("[/!](spring|micrometer|jackson)-[^/]*\\.jar(!/)?$");

    /** Whether an annotation is of this library, or composed of one. */
    private static final ClassValue<Boolean> OURS = remembered(LibraryAnnotations::isOurs);

    private static final ClassValue<Boolean> ANNOTATED = remembered(LibraryAnnotations::isAnnotated);

    private LibraryAnnotations() {}

    /** Whether the class may have some; false only if a search of its type and of its methods would find none. */
    public static boolean mayBeOn(Class<?> type) {
        return ANNOTATED.get(type);
    }

    /** The {@code @Bean} method of a bean; {@code null} if there is none, or if its class has no annotation of this library. */
    public static @Nullable Method factoryMethod(ConfigurableListableBeanFactory beans, String name) {
        Method factory = beans.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition
                ? definition.getResolvedFactoryMethod()
                : null;
        return factory != null && mayBeOn(factory.getDeclaringClass()) ? factory : null;
    }

    private static boolean isAnnotated(Class<?> type) {
        if (type.getName().startsWith("java.") || isOfFramework(type)) {
            return false;
        }
        Class<?> superclass = type.getSuperclass();
        if (superclass != null && mayBeOn(superclass)) {
            return true;
        }
        for (Class<?> face : type.getInterfaces()) {
            if (mayBeOn(face)) {
                return true;
            }
        }
        return declaresSome(type);
    }

    private static boolean isOfFramework(Class<?> type) {
        if (FRAMEWORKS.stream().noneMatch(type.getName()::startsWith)) {
            return false;
        }
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL place = source == null ? null : source.getLocation();
        return place != null && JAR.matcher(place.getPath()).find();
    }

    /** A class that can't be read is left to the search, which reports it. */
    private static boolean declaresSome(Class<?> type) {
        try {
            if (hasSome(type)) {
                return true;
            }
            for (Method method : ReflectionUtils.getDeclaredMethods(type)) {
                if (hasSome(method)) {
                    return true;
                }
            }
            return false;
        } catch (RuntimeException | LinkageError unreadable) {
            return true;
        }
    }

    private static boolean hasSome(AnnotatedElement element) {
        for (Annotation found : element.getDeclaredAnnotations()) {
            if (OURS.get(found.annotationType())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOurs(Class<?> annotation) {
        return annotation.getName().startsWith(LIBRARY)
                || MergedAnnotations.from(annotation).stream()
                        .anyMatch(composed -> composed.getType().getName().startsWith(LIBRARY))
                || isContainer(annotation);
    }

    /** Whether an annotation holds a repeatable one that is of this library, or composed of one. */
    private static boolean isContainer(Class<?> annotation) {
        Method value = ReflectionUtils.findMethod(annotation, MergedAnnotation.VALUE);
        Class<?> held = value == null ? null : value.getReturnType().componentType();
        return held != null && held.isAnnotation() && OURS.get(held);
    }

    private static ClassValue<Boolean> remembered(Predicate<Class<?>> look) {
        return new ClassValue<>() {
            @Override
            protected Boolean computeValue(Class<?> type) {
                return look.test(type);
            }
        };
    }
}
