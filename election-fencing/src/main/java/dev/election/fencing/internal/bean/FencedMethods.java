package dev.election.fencing.internal.bean;

import static dev.election.fencing.internal.bean.FenceMarks.FENCED;

import dev.election.fencing.internal.bytecode.ThisCalls;
import dev.election.fencing.internal.transaction.Fence;
import dev.election.spring.annotation.Interceptable;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.asm.Type;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.util.ReflectionUtils;

/** The fenced methods of one bean class. They are found and checked once. */
final class FencedMethods {

    private final Class<?> type;
    private final Map<Method, Fence> fences;

    /** The methods through which callers come, which may be those of an interface. */
    private final Map<Method, Optional<Fence>> byCalledMethod = new ConcurrentHashMap<>();

    private FencedMethods(Class<?> type, Map<Method, Fence> fences) {
        this.type = type;
        this.fences = fences;
    }

    /**
     * Finds the fenced methods of that class; fails if a fence can't take effect.
     *
     * @param type the class of the bean
     * @param proxied the interfaces through which calls are intercepted, which may be more than those of the class; none if calls are
     *     intercepted by a subclass
     * @param reader reads the annotations
     * @param transactions the transaction of a method of the bean, {@code null} if it has none
     */
    static FencedMethods of(
            Class<?> type,
            Set<Class<?>> proxied,
            FenceReader reader,
            Function<Method, @Nullable TransactionAttribute> transactions) {
        Map<Method, Fence> fences = new ConcurrentHashMap<>();
        collect(type, proxied.isEmpty(), reader, transactions, fences);
        Set<Class<?>> more = new LinkedHashSet<>(proxied);
        more.removeIf(face -> face.isAssignableFrom(type));
        more.forEach(face -> collect(face, false, reader, transactions, fences));
        return new FencedMethods(type, fences);
    }

    private static void collect(
            Class<?> type,
            boolean subclassed,
            FenceReader reader,
            Function<Method, @Nullable TransactionAttribute> transactions,
            Map<Method, Fence> fences) {
        Interceptable rules = new Interceptable(type, subclassed);
        ReflectionUtils.doWithMethods(
                type,
                method -> rejectUnreached(method, rules),
                method -> FenceMarks.isWritten(method) && FenceMarks.marks(method));
        Fence ofType = reader.read(type);
        MetadataLookup<Fence> fenceOf = method -> {
            if (FenceMarks.isBeanMethod(method)) {
                return null;
            }
            Fence own = reader.read(method);
            return own != null ? own : rules.belongsToType(method) ? ofType : null;
        };
        MethodIntrospector.selectMethods(type, fenceOf).forEach((method, fence) -> {
            rejectUnreached(method, rules);
            rejectDetached(method);
            rejectTransaction(method, transactions.apply(method));
            fences.put(method, fence);
            fences.putIfAbsent(BridgeMethodResolver.findBridgedMethod(method), fence);
        });
    }

    private static void rejectUnreached(Method method, Interceptable rules) {
        Interceptable.Obstacle obstacle = rules.obstacle(method);
        if (obstacle != null) {
            throw FENCED.invalid(method, obstacle.problem(), obstacle.action());
        }
    }

    /** Work on another thread or after the return is not part of a JDBC transaction. */
    private static void rejectDetached(Method method) {
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getReturnType());
        boolean isDeferred = adapter != null && adapter.getDescriptor().isDeferred();
        if (isDeferred || KotlinDetector.isSuspendingFunction(method)) {
            throw FENCED.invalid(
                    method,
                    "a " + (isDeferred ? "reactive method" : "suspend function")
                            + " has no transaction of JDBC, whose commit could be checked",
                    "Move the writes to a blocking @Transactional method, and fence that one.");
        }
    }

    private static void rejectTransaction(Method method, @Nullable TransactionAttribute transaction) {
        if (transaction == null) {
            throw FENCED.invalid(
                    method,
                    "the method has no transaction in its proxy, and without one there is no commit that could be"
                            + " checked",
                    "Add @Transactional to the method and make sure that transaction management by proxies is enabled"
                            + " (by default where there is a transaction manager; AspectJ weaving is not supported). If"
                            + " @Fenced is on the type, put it on the methods that write instead.");
        }
        if (transaction.isReadOnly()) {
            throw FENCED.invalid(
                    method,
                    "its transaction is read-only, so it has nothing to fence",
                    "Remove readOnly = true if the method writes, or @Fenced if it doesn't. If @Fenced is on the type,"
                            + " put it on the methods that write instead.");
        }
        switch (transaction.getPropagationBehavior()) {
            case TransactionDefinition.PROPAGATION_SUPPORTS,
                    TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
                    TransactionDefinition.PROPAGATION_NEVER ->
                throw FENCED.invalid(
                        method,
                        "with its propagation it may run without a transaction, and then nothing could be checked",
                        "Use REQUIRED, REQUIRES_NEW, NESTED or MANDATORY.");
            default -> {
                // Has a transaction.
            }
        }
    }

    boolean isEmpty() {
        return fences.isEmpty();
    }

    /** The fences by the name and descriptor of their methods. */
    Map<String, Fence> bySignature() {
        Map<String, Fence> found = new HashMap<>();
        fences.forEach((method, fence) ->
                found.put(ThisCalls.signature(method.getName(), Type.getMethodDescriptor(method)), fence));
        return found;
    }

    /** The fence of a method by which the bean is called; {@code null} if it has none. */
    @Nullable
    Fence find(Method called) {
        return byCalledMethod
                .computeIfAbsent(called, method -> {
                    Fence specific = fences.get(AopUtils.getMostSpecificMethod(method, type));
                    return Optional.ofNullable(specific != null ? specific : fences.get(method));
                })
                .orElse(null);
    }
}
