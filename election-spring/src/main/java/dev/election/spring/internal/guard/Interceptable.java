package dev.election.spring.internal.guard;

import static dev.election.spring.internal.guard.ElectionAnnotation.GUARD;

import dev.election.ElectionConfigurationException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.Nullness;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Determines which methods of a class a proxy can intercept.
 *
 * @param type the class of the bean
 * @param subclassed whether calls are intercepted by a subclass and not through the interfaces
 */
public record Interceptable(Class<?> type, boolean subclassed) {

    private static final boolean SUSPENDING_IS_SUPPORTED =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", Interceptable.class.getClassLoader());

    private static final String OPEN =
            "Declare the class and the function 'open', or compile with the kotlin-spring plugin,"
                    + " which opens classes with @Component and the like.";

    /**
     * Why a method can't be intercepted.
     *
     * @param problem a sentence without a full stop
     * @param action what to do about it
     */
    public record Obstacle(String problem, String action) {}

    /** Why calls of the method can't be intercepted; {@code null} if they can. */
    public @Nullable Obstacle obstacle(Method method) {
        Obstacle hidden = hidden(method);
        return hidden != null || !subclassed ? hidden : closed(method);
    }

    /** Whether calls of the method can be intercepted. Through interfaces only public methods can. */
    public boolean reaches(Method method) {
        int modifiers = method.getModifiers();
        if (!subclassed) {
            return Modifier.isPublic(modifiers) && !Modifier.isStatic(modifiers);
        }
        int unreached = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL;
        return (modifiers & unreached) == 0 && !Modifier.isFinal(type.getModifiers()) && !isOfAnotherPackage(method);
    }

    /** Whether what is said of the type holds for the method: for public ones also if they can't be intercepted, which then is an error. */
    public boolean belongsToType(Method method) {
        return (Modifier.isPublic(method.getModifiers()) || reaches(method))
                && !Modifier.isStatic(method.getModifiers())
                && !ReflectionUtils.isObjectMethod(method)
                && !AopUtils.isFinalizeMethod(method)
                && !BridgeMethodResolver.findBridgedMethod(method).isSynthetic();
    }

    /**
     * Fails if the guard of the type can't intercept the method, which a framework calls.
     *
     * @param caller the annotation by which the framework calls it
     */
    void rejectUnreached(Method method, String caller) {
        if (!reaches(method)) {
            throw GUARD.invalid(
                    method,
                    "the guard on the type can't intercept it, so @" + caller + " would call it on every node",
                    "Make it a public method that is neither static nor final, of a class that is neither final nor a record. If it should"
                            + " run on every node, move it to a bean without a guard.");
        }
    }

    /** Fails if the method is private or static. Such methods are not selected where the class is proxied already. */
    void rejectHidden(Method method) {
        reject(method, hidden(method));
    }

    private static @Nullable Obstacle hidden(Method method) {
        if (!Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())) {
            return null;
        }
        String what = Modifier.isStatic(method.getModifiers()) ? "static" : "private";
        return new Obstacle(
                "a " + what + " method can't be intercepted",
                "Make it a public instance method, and call it through the bean, not from within its own class.");
    }

    private static void reject(Method method, @Nullable Obstacle obstacle) {
        if (obstacle != null) {
            throw GUARD.invalid(method, obstacle.problem(), obstacle.action());
        }
    }

    /** Fails if the method can't be intercepted. */
    void check(Method method) {
        if (subclassed) {
            reject(method, closed(method));
        }
        if (KotlinDetector.isSuspendingFunction(method)) {
            checkSuspending(method);
        }
    }

    /** Fails if a skipped call of the method can't return an empty result. */
    void checkSkipped(Method method, ReturnShape shape) {
        Class<?> result = method.getReturnType();
        if (result.isPrimitive() && result != void.class) {
            throw hasNothingToReturn(method, result.toString());
        }
        if (shape.skipsToNull() && isNonNullInKotlin(method)) {
            throw hasNothingToReturn(method, "value");
        }
    }

    private static ElectionConfigurationException hasNothingToReturn(Method method, String what) {
        String action = isKotlin(method)
                ? "Declare a nullable return type, as 'String?'"
                : "Return the wrapper type or an Optional";
        return GUARD.invalid(
                method,
                "a call that is skipped has no " + what + " to return",
                action
                        + ", or use @ConditionalOnLeader(otherwise = Otherwise.FAIL). If the guard is on the type, put it on"
                        + " the methods that need it instead, or make this method private.");
    }

    /** Whether the result can't be null in Kotlin. Known only where the application has kotlin-reflect. */
    private static boolean isNonNullInKotlin(Method method) {
        return KotlinDetector.isKotlinReflectPresent()
                && isKotlin(method)
                && Nullness.forMethodReturnType(method) == Nullness.NON_NULL;
    }

    private static boolean isKotlin(Method method) {
        return KotlinDetector.isKotlinType(method.getDeclaringClass());
    }

    private static void checkSuspending(Method method) {
        if (!SUSPENDING_IS_SUPPORTED) {
            throw GUARD.invalid(
                    method,
                    "proxies of suspend functions need kotlinx-coroutines-reactor, which is not on the class path",
                    "Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor.");
        }
        if (ReturnShape.isFlow(CoroutineShape.resultOf(method))) {
            throw GUARD.invalid(
                    method,
                    "the end of a function that suspends and returns a Flow can't be observed",
                    "Remove 'suspend', and move what the function waits for into the flow.");
        }
    }

    /** Why a subclass can't override the method. */
    private @Nullable Obstacle closed(Method method) {
        if (Modifier.isFinal(method.getModifiers())) {
            return new Obstacle(
                    "a final method can't be intercepted", isKotlin(method) ? OPEN : "Remove 'final' from the method.");
        }
        if (Modifier.isFinal(type.getModifiers())) {
            return new Obstacle("the methods of a final class can't be intercepted", opening());
        }
        if (isOfAnotherPackage(method)) {
            return new Obstacle(
                    "a package-private method can't be intercepted for " + type + ", which is in another package",
                    "Make the method protected or public.");
        }
        return null;
    }

    /** The action that lets the class be extended. */
    private String opening() {
        if (type.isRecord() || type.isEnum()) {
            return "Make a class that is not final of the " + (type.isRecord() ? "record " : "enum ") + type.getName()
                    + ".";
        }
        if (isDataClass()) {
            return "A data class can't be open: make an ordinary class that is open of " + type.getName() + ".";
        }
        return KotlinDetector.isKotlinType(type) ? OPEN : "Remove 'final' from " + type + ".";
    }

    private boolean isDataClass() {
        return KotlinDetector.isKotlinType(type)
                && Stream.of(type.getDeclaredMethods())
                        .anyMatch(method -> method.getName().equals("copy$default"));
    }

    private boolean isOfAnotherPackage(Method method) {
        boolean ofPackage = (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE)) == 0;
        Class<?> owner = method.getDeclaringClass();
        return ofPackage
                && !(owner.getPackage() == type.getPackage() && owner.getClassLoader() == type.getClassLoader());
    }
}
