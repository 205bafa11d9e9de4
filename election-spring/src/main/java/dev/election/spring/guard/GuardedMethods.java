package dev.election.spring.guard;

import static dev.election.spring.annotation.ElectionAnnotation.GUARD;

import dev.election.Otherwise;
import dev.election.spring.annotation.Interceptable;
import dev.election.spring.annotation.LibraryAnnotations;
import dev.election.spring.calls.JobGate;
import dev.election.spring.internal.shape.ReturnShape;
import java.lang.reflect.Method;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** The guarded methods of one bean class. They are found and checked once. */
final class GuardedMethods {

    private static final GuardedMethods NONE = new GuardedMethods(Object.class, Set.of(), Map.of());

    private final Class<?> type;
    private final Map<Method, Guarded> guarded;

    /** The methods through which callers come, which may be those of an interface. */
    private final Map<Method, Optional<Guarded>> byCalledMethod = new ConcurrentHashMap<>();

    /** Interfaces that the proxy has and its target has not, the nearest first. */
    private final Set<Class<?>> proxied;

    private GuardedMethods(Class<?> type, Set<Class<?>> proxied, Map<Method, Guarded> guarded) {
        this.type = type;
        this.proxied = proxied;
        this.guarded = guarded;
    }

    /**
     * Finds the guarded methods of that class.
     *
     * @param type the class of the bean
     * @param proxied the interfaces through which calls are intercepted, which may be more than those of the class; none if calls are
     *     intercepted by a subclass
     * @param elsewhere names the classes whose guard is enforced elsewhere
     * @param reader called if there are guards to read
     * @param problems collects the guards that can't take effect
     */
    static GuardedMethods of(
            Class<?> type,
            Set<Class<?>> proxied,
            GuardedElsewhere elsewhere,
            Supplier<GuardReader> reader,
            GuardProblems problems) {
        if (!mayBeIn(type, proxied)) {
            return NONE;
        }
        Map<Method, Guarded> guarded = new ConcurrentHashMap<>();
        collect(type, proxied.isEmpty(), elsewhere, reader, guarded, problems);
        Set<Class<?>> more = new LinkedHashSet<>(proxied);
        more.removeIf(face -> face.isAssignableFrom(type));
        more.forEach(face -> collect(face, false, elsewhere, reader, guarded, problems));
        return new GuardedMethods(type, more, guarded);
    }

    /** Whether a class or the interfaces of its proxy have any annotation of this library. */
    static boolean mayBeIn(Class<?> type, Set<Class<?>> proxied) {
        return LibraryAnnotations.mayBeOn(type) || proxied.stream().anyMatch(LibraryAnnotations::mayBeOn);
    }

    private static void collect(
            Class<?> type,
            boolean subclassed,
            GuardedElsewhere elsewhere,
            Supplier<GuardReader> reader,
            Map<Method, Guarded> guarded,
            GuardProblems problems) {
        boolean guardsType = guardsType(type, elsewhere);
        MethodGuard ofType = guardsType ? problems.collect(() -> reader.get().read(type)) : null;
        Interceptable methods = new Interceptable(type, subclassed);
        GuardRules rules = new GuardRules(methods);
        MetadataLookup<MethodGuard> guardOf = method -> {
            if (isBeanMethod(method)) {
                // The annotation on a @Bean method guards the bean, not the method.
                return null;
            }
            if (GuardReader.marks(method)) {
                return problems.collect(() -> reader.get().read(method));
            }
            return methods.belongsToType(method) ? ofType : null;
        };
        ReflectionUtils.doWithMethods(
                type,
                method -> problems.check(() -> rules.rejectHidden(method)),
                method -> isWritten(method) && GuardReader.marks(method));
        if (guardsType) {
            ReflectionUtils.doWithMethods(
                    type,
                    method -> FrameworkCalls.caller(method)
                            .ifPresent(caller -> problems.check(() -> rules.rejectUnreached(method, caller))),
                    method -> isWritten(method) && !GuardReader.marks(method));
        }
        Map<Method, MethodGuard> found = MethodIntrospector.selectMethods(type, guardOf);
        found.forEach((method, guard) -> {
            ReturnShape shape = ReturnShape.of(method);
            problems.check(() -> {
                rules.check(method);
                if (guard.terms().partitions() > 0) {
                    rules.checkPartitioned(method);
                }
                if (guard.otherwise() == Otherwise.SKIP) {
                    rules.checkSkipped(method, shape);
                }
            });
            Guarded entry = new Guarded(guard, shape);
            guarded.put(method, entry);
            // The compiler repeats public methods of a superclass that is not public; calls come by the original.
            guarded.putIfAbsent(BridgeMethodResolver.findBridgedMethod(method), entry);
        });
        if (ofType != null && found.isEmpty()) {
            problems.check(() -> {
                throw GUARD.invalid(
                        type,
                        "it has no method that a proxy can guard (@Bean methods don't count: Spring calls them once, at"
                                + " startup)",
                        "Put the annotation on the methods or types that do the work, or on @Bean methods that return a"
                                + " Lifecycle.");
            });
        }
    }

    /** Whether that class or one of its methods has a guard. The guards are not read. */
    static boolean mayHaveSome(Class<?> type, GuardedElsewhere elsewhere) {
        if (!LibraryAnnotations.mayBeOn(type)) {
            return false;
        }
        if (guardsType(type, elsewhere)) {
            return true;
        }
        MetadataLookup<Boolean> isMarked =
                method -> (!isBeanMethod(method) && GuardReader.marks(method)) ? Boolean.TRUE : null;
        return !MethodIntrospector.selectMethods(type, isMarked).isEmpty();
    }

    /**
     * Whether the mark of a type guards its methods. Leadership starts and stops a Lifecycle whose type is marked; its methods are guarded
     * one by one.
     */
    private static boolean guardsType(Class<?> type, GuardedElsewhere elsewhere) {
        return GuardReader.marks(type)
                && !Lifecycle.class.isAssignableFrom(type)
                && !elsewhere.isGuardedElsewhere(type);
    }

    boolean isEmpty() {
        return guarded.isEmpty();
    }

    boolean haveCoroutines() {
        return guarded.keySet().stream().anyMatch(KotlinDetector::isSuspendingFunction);
    }

    /** The methods whose calls are jobs. */
    IdentityHashMap<Guarded, JobGate.Job> jobs(String bean, Supplier<JobGate> gate, GuardProblems problems) {
        IdentityHashMap<Guarded, JobGate.Job> jobs = new IdentityHashMap<>();
        guarded.forEach((method, entry) -> {
            if (!jobs.containsKey(entry) && !method.isBridge()) {
                MethodGuard guard = entry.guard();
                JobGate.Job job = problems.collect(() -> gate.get().jobOf(bean, method, guard.name(), guard.terms()));
                if (job != null) {
                    jobs.put(entry, job);
                }
            }
        });
        return jobs;
    }

    void forEach(BiConsumer<Class<?>, Method> action) {
        guarded.keySet().forEach(method -> action.accept(type, method));
    }

    @Nullable
    Guarded find(Method called) {
        Optional<Guarded> known = byCalledMethod.get(called);
        // Asked at each call: the map would make a function each time, and may lock what it finds.
        return (known != null ? known : byCalledMethod.computeIfAbsent(called, this::lookUp)).orElse(null);
    }

    private Optional<Guarded> lookUp(Method called) {
        Guarded specific = guarded.get(AopUtils.getMostSpecificMethod(called, type));
        if (specific != null) {
            return Optional.of(specific);
        }
        // Of a class that is a proxy itself only the methods of its interfaces are known.
        Guarded itself = guarded.get(called);
        return itself != null ? Optional.of(itself) : throughInterface(called);
    }

    /** A proxy has one method for equal ones of its interfaces and may hand on any of them, such as the overridden one. */
    private Optional<Guarded> throughInterface(Method called) {
        for (Class<?> face : proxied) {
            for (Method method : face.getMethods()) {
                Guarded entry = guarded.get(method);
                if (entry != null && isSameCall(called, method, face)) {
                    return Optional.of(entry);
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isSameCall(Method called, Method method, Class<?> face) {
        if (!called.getName().equals(method.getName()) || called.getParameterCount() != method.getParameterCount()) {
            return false;
        }
        for (int i = 0; i < called.getParameterCount(); i++) {
            Class<?> asked = ResolvableType.forMethodParameter(called, i, face).toClass();
            if (asked != ResolvableType.forMethodParameter(method, i, face).toClass()) {
                return false;
            }
        }
        return true;
    }

    /** The Kotlin compiler moves the bodies of open suspend functions to static methods and repeats the annotations there. */
    private static boolean isWritten(Method method) {
        return !method.isSynthetic() && !isBeanMethod(method);
    }

    private static boolean isBeanMethod(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, Bean.class);
    }

    /**
     * A guarded method.
     *
     * @param guard its guard
     * @param shape how it returns its result; that of the method itself, since an interface may declare a more general type
     */
    record Guarded(MethodGuard guard, ReturnShape shape) {}
}
