package dev.election.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * What a proxy can do for the methods of a class.
 *
 * @param type the class of the bean
 * @param subclassed whether calls are intercepted by a subclass and not by way of the interfaces
 */
record Interceptable(Class<?> type, boolean subclassed) {

    /** Private and static methods are not among those that are selected for a class that is proxied already. */
    void rejectHidden(Method method) {
        if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
            String what = Modifier.isStatic(method.getModifiers()) ? "static" : "private";
            throw new UnguardableMethodException(
                    method,
                    "a " + what + " method can't be intercepted",
                    "Make the method a public instance method, and call it on the bean and not from within it.");
        }
    }

    /** Fails if the method can't be intercepted, or a call of it can't be skipped. */
    void check(Method method, boolean mayBeSkipped) {
        if (subclassed) {
            checkOverridable(method);
        }
        Class<?> result = method.getReturnType();
        if (mayBeSkipped && result.isPrimitive() && result != void.class) {
            throw new UnguardableMethodException(
                    method,
                    "a call that is skipped has no " + result + " to return",
                    "Return the wrapper type or an Optional, or use"
                            + " @ConditionalOnLeader(otherwise = Otherwise.FAIL); if the guard stands on the type, put it"
                            + " on the methods that need it.");
        }
    }

    private void checkOverridable(Method method) {
        if (Modifier.isFinal(method.getModifiers())) {
            throw new UnguardableMethodException(
                    method, "a final method can't be intercepted", "Remove 'final' from the method.");
        }
        if (Modifier.isFinal(type.getModifiers())) {
            throw new UnguardableMethodException(
                    method, "the methods of a final class can't be intercepted", "Remove 'final' from " + type + ".");
        }
        boolean ofPackage = (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0;
        Class<?> owner = method.getDeclaringClass();
        if (ofPackage
                && !(owner.getPackage() == type.getPackage() && owner.getClassLoader() == type.getClassLoader())) {
            throw new UnguardableMethodException(
                    method,
                    "a package-private method can't be intercepted for " + type + ", which is in another package",
                    "Make the method protected or public.");
        }
    }
}
