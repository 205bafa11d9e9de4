package dev.election.spring.guard;

import static dev.election.spring.annotation.ElectionAnnotation.GUARD;
import static dev.election.spring.annotation.ElectionAnnotation.PARTITIONED;

import dev.election.ConditionalOnLeader;
import dev.election.ElectionConfigurationException;
import dev.election.LeaderOnly;
import dev.election.spring.annotation.Interceptable;
import dev.election.spring.internal.shape.CoroutineShape;
import dev.election.spring.internal.shape.ReturnShape;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.springframework.core.KotlinDetector;
import org.springframework.core.Nullness;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Rejects guards that can't take effect on a method of a class.
 *
 * @param methods the methods that a proxy of the class can intercept
 */
record GuardRules(Interceptable methods) {

    private static final boolean SUSPENDING_IS_SUPPORTED =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", GuardRules.class.getClassLoader());

    /**
     * Fails if the guard of the type can't intercept the method, which a framework calls.
     *
     * @param caller the annotation by which the framework calls it
     */
    void rejectUnreached(Method method, String caller) {
        if (!methods.reaches(method)) {
            throw GUARD.invalid(
                    method,
                    "the guard on the type can't intercept it, so @" + caller + " would call it on every node",
                    "Make it a public method that is neither static nor final, of a class that is neither final nor a record. If it should"
                            + " run on every node, move it to a bean without a guard.");
        }
    }

    /** Fails if the method is private or static. Such methods are not selected where the class is proxied already. */
    void rejectHidden(Method method) {
        if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
            rejectObstacle(method);
        }
    }

    private void rejectObstacle(Method method) {
        Interceptable.Obstacle obstacle = methods.obstacle(method);
        if (obstacle != null) {
            throw GUARD.invalid(method, obstacle.problem(), obstacle.action());
        }
    }

    /** Fails if the method can't be intercepted. */
    void check(Method method) {
        rejectObstacle(method);
        if (KotlinDetector.isSuspendingFunction(method)) {
            checkSuspending(method);
        }
    }

    /** Fails if the method can't be called for each partition. */
    void checkPartitioned(Method method) {
        MergedAnnotations found = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        if (found.isPresent(LeaderOnly.class) || found.isPresent(ConditionalOnLeader.class)) {
            throw PARTITIONED.invalid(
                    method, "it has a leader guard, too", "Remove one of them: a partition has a leader of its own.");
        }
        if (!methods.subclassed()) {
            throw PARTITIONED.invalid(
                    method,
                    "its bean is called through interfaces, by which its schedule can't be told from others",
                    "Set spring.aop.proxy-target-class to true.");
        }
        if (!FrameworkCalls.isScheduled(method)) {
            throw PARTITIONED.invalid(
                    method,
                    "it is not scheduled, so that nothing calls it",
                    "Add @Scheduled, or call PartitionGroup.runIfHeld in place of the annotation.");
        }
        if (KotlinDetector.isSuspendingFunction(method)) {
            throw PARTITIONED.invalid(
                    method,
                    "it suspends, but a thread of its group calls it for each partition and is taken until it returns",
                    "Remove 'suspend', and call runBlocking(CurrentWorkElement(CurrentWork.get())) in it.");
        }
        if (method.getReturnType() != void.class || method.getParameterCount() > 0) {
            throw PARTITIONED.invalid(
                    method,
                    "it has " + (method.getParameterCount() > 0 ? "parameters" : "a result")
                            + ", but is called once for each partition, by its schedule",
                    "Make it a void method without parameters that returns when the work is done.");
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
}
