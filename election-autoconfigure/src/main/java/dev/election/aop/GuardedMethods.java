package dev.election.aop;

import dev.election.Otherwise;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** The guards of one bean class, found and checked once. */
final class GuardedMethods {

    private final Class<?> type;
    private final Map<Method, Guarded> guarded;

    /** The methods through which callers come, which may be those of an interface. */
    private final Map<Method, Optional<Guarded>> byCalledMethod = new ConcurrentHashMap<>();

    private GuardedMethods(Class<?> type, Map<Method, Guarded> guarded) {
        this.type = type;
        this.guarded = guarded;
    }

    /**
     * The guards of that class; fails if one of them can't work.
     *
     * @param type the class of the bean
     * @param subclassed whether calls are intercepted by a subclass and not by way of the interfaces
     * @param reader asked for if there are guards to read
     */
    static GuardedMethods of(Class<?> type, boolean subclassed, Supplier<GuardReader> reader) {
        // Leadership starts and stops a Lifecycle whose type is marked; its methods are guarded only one by one.
        boolean guardsType = GuardReader.marks(type) && !Lifecycle.class.isAssignableFrom(type);
        Guard ofType = guardsType ? reader.get().read(type) : null;
        MetadataLookup<Guard> guardOf = method -> {
            if (isBeanMethod(method)) {
                // There it is the bean that is guarded, not its making.
                return null;
            }
            return GuardReader.marks(method) ? reader.get().read(method) : belongsToType(method) ? ofType : null;
        };
        Interceptable rules = new Interceptable(type, subclassed);
        ReflectionUtils.doWithMethods(
                type, rules::rejectHidden, method -> !isBeanMethod(method) && GuardReader.marks(method));
        Map<Method, Guarded> guarded = new ConcurrentHashMap<>();
        MethodIntrospector.selectMethods(type, guardOf).forEach((method, guard) -> {
            rules.check(method, guard.otherwise() == Otherwise.SKIP);
            Guarded found = new Guarded(guard, ReturnShape.of(method.getReturnType()));
            guarded.put(method, found);
            // The compiler repeats public methods of a superclass that is not public; calls come by the original.
            guarded.putIfAbsent(BridgeMethodResolver.findBridgedMethod(method), found);
        });
        if (guardsType && guarded.isEmpty()) {
            throw new UnguardableMethodException(
                    type,
                    "it has no public method to guard (a @Bean method is none: it is asked once, at startup)",
                    "Put the annotation on the methods or types that do the work, or on @Bean methods that make a"
                            + " Lifecycle.");
        }
        return new GuardedMethods(type, guarded);
    }

    /** Whether that class has a guard, without a look at what it says. */
    static boolean mayHaveSome(Class<?> type) {
        if (GuardReader.marks(type) && !Lifecycle.class.isAssignableFrom(type)) {
            return true;
        }
        MetadataLookup<Boolean> isMarked =
                method -> (!isBeanMethod(method) && GuardReader.marks(method)) ? Boolean.TRUE : null;
        return !MethodIntrospector.selectMethods(type, isMarked).isEmpty();
    }

    boolean isEmpty() {
        return guarded.isEmpty();
    }

    @Nullable
    Guarded find(Method called) {
        return byCalledMethod.computeIfAbsent(called, this::lookUp).orElse(null);
    }

    private Optional<Guarded> lookUp(Method called) {
        Guarded specific = guarded.get(AopUtils.getMostSpecificMethod(called, type));
        // Of a class that is a proxy itself only the methods of its interfaces are known.
        return Optional.ofNullable(specific != null ? specific : guarded.get(called));
    }

    private static boolean isBeanMethod(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, Bean.class);
    }

    private static boolean belongsToType(Method method) {
        return Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !ReflectionUtils.isObjectMethod(method)
                && !BridgeMethodResolver.findBridgedMethod(method).isSynthetic();
    }

    /**
     * A method that is guarded.
     *
     * @param guard what guards it
     * @param shape how it hands back its result; that of the method itself, since an interface may say less of it
     */
    record Guarded(Guard guard, ReturnShape shape) {}
}
