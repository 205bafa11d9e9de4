package dev.election.fencing.internal;

import dev.election.fencing.Fenced;
import dev.election.spring.annotation.ElectionAnnotation;
import dev.election.spring.annotation.LibraryAnnotations;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/** Finds {@link Fenced} without reading it. Needs none of the libraries that fences need. */
final class FenceMarks {

    /** For messages about it. */
    static final ElectionAnnotation FENCED = new ElectionAnnotation("@Fenced");

    private FenceMarks() {}

    static MergedAnnotation<Fenced> find(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).get(Fenced.class);
    }

    static boolean marks(AnnotatedElement element) {
        return find(element).isPresent();
    }

    /** Whether that class or one of its methods is marked. */
    static boolean mayHaveSome(Class<?> type) {
        if (!LibraryAnnotations.mayBeOn(type)) {
            return false;
        }
        MetadataLookup<Boolean> isMarked = method -> (marks(method) && !isBeanMethod(method)) ? Boolean.TRUE : null;
        return marks(type) || !MethodIntrospector.selectMethods(type, isMarked).isEmpty() || hasHidden(type);
    }

    /** Private methods of superclasses are not among those that are selected. */
    private static boolean hasHidden(Class<?> type) {
        boolean[] found = {false};
        ReflectionUtils.doWithMethods(
                type,
                method -> found[0] = true,
                method -> (method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) != 0
                        && method.getDeclaredAnnotations().length > 0
                        && isWritten(method)
                        && marks(method));
        return found[0];
    }

    /** The Kotlin compiler moves the bodies of open suspend functions to static methods and repeats the annotations there. */
    static boolean isWritten(Method method) {
        return !method.isSynthetic() && !isBeanMethod(method);
    }

    static boolean isBeanMethod(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, Bean.class);
    }
}
