package dev.election.aop;

import dev.election.Otherwise;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** The guards of one bean class, found and checked once. */
final class GuardedMethods {

    private final Class<?> type;
    private final Map<Method, Guard> guards;

    /** The methods through which callers come, which may be those of an interface. */
    private final Map<Method, Guard> byCalledMethod = new ConcurrentHashMap<>();

    private GuardedMethods(Class<?> type, Map<Method, Guard> guards) {
        this.type = type;
        this.guards = guards;
    }

    /** The guards of that class; fails if one of them can't work. */
    static GuardedMethods of(Class<?> type, GuardReader reader) {
        Guard ofType = reader.read(type);
        MetadataLookup<Guard> guardOf = method -> {
            if (AnnotatedElementUtils.hasAnnotation(method, Bean.class)) {
                // There it is the bean that is guarded, not its making.
                return null;
            }
            Guard own = reader.read(method);
            return own != null || !belongsToType(method) ? own : ofType;
        };
        Map<Method, Guard> guards = MethodIntrospector.selectMethods(type, guardOf);
        rejectHidden(type, reader);
        guards.forEach((method, guard) -> check(type, method, guard));
        return new GuardedMethods(type, guards);
    }

    boolean isEmpty() {
        return guards.isEmpty();
    }

    @Nullable
    Guard guardOf(Method called) {
        Guard known = byCalledMethod.get(called);
        if (known != null) {
            return known;
        }
        Guard found = guards.get(AopUtils.getMostSpecificMethod(called, type));
        if (found != null) {
            byCalledMethod.put(called, found);
        }
        return found;
    }

    private static boolean belongsToType(Method method) {
        return Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !ReflectionUtils.isObjectMethod(method)
                && method.getDeclaringClass() != Object.class
                && !method.isSynthetic();
    }

    /** Private and static methods are not among those that are selected for a class that is proxied already. */
    private static void rejectHidden(Class<?> type, GuardReader reader) {
        ReflectionUtils.doWithMethods(type, method -> {
            boolean hidden = Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers());
            if (hidden && reader.read(method) != null) {
                String what = Modifier.isStatic(method.getModifiers()) ? "static" : "private";
                throw new UnguardableMethodException(
                        method,
                        "a " + what + " method can't be intercepted",
                        "Make the method a public instance method, and call it on the bean and not from within it.");
            }
        });
    }

    private static void check(Class<?> type, Method method, Guard guard) {
        if (Modifier.isFinal(method.getModifiers())) {
            throw new UnguardableMethodException(
                    method, "a final method can't be intercepted", "Remove 'final' from the method.");
        }
        if (Modifier.isFinal(type.getModifiers())) {
            throw new UnguardableMethodException(
                    method, "the methods of a final class can't be intercepted", "Remove 'final' from " + type + ".");
        }
        Class<?> result = method.getReturnType();
        if (guard.otherwise() == Otherwise.SKIP && result.isPrimitive() && result != void.class) {
            throw new UnguardableMethodException(
                    method,
                    "a call that is skipped has no " + result + " to return",
                    "Return the wrapper type or an Optional, or use"
                            + " @ConditionalOnLeader(otherwise = Otherwise.FAIL).");
        }
    }
}
