package dev.election.spring.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ReflectionUtils;

/**
 * Determines which methods of a class a proxy can intercept.
 *
 * @param type the class of the bean
 * @param subclassed whether calls are intercepted by a subclass and not through the interfaces
 */
public record Interceptable(Class<?> type, boolean subclassed) {

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

    private static @Nullable Obstacle hidden(Method method) {
        if (!Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())) {
            return null;
        }
        String what = Modifier.isStatic(method.getModifiers()) ? "static" : "private";
        return new Obstacle(
                "a " + what + " method can't be intercepted",
                "Make it a public instance method, and call it through the bean, not from within its own class.");
    }

    private static boolean isKotlin(Method method) {
        return KotlinDetector.isKotlinType(method.getDeclaringClass());
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
