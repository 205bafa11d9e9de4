package dev.election;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs only on the node that leads; a call on any other does nothing and returns nothing ({@code null}, an empty
 * {@code Optional}, a completed {@code CompletionStage}, an empty {@code Mono}, {@code Flux} or {@code Flow}). A method that returns a
 * publisher or a Kotlin {@code Flow} is called at each subscription, which is where the guard decides. The work of a suspend function
 * lasts until its continuation.
 *
 * <p>On a method of a bean, scheduled or not, or on a type for all its methods that a proxy can intercept: public, protected
 * and package-private ones; a private, static or final one that is scheduled or listens is an error at the start. On a type that is a
 * Spring {@code Lifecycle}, or on the {@code @Bean} method that makes one, the bean is started while this node leads and stopped while
 * it does not. Short for {@link ConditionalOnLeader} with {@link Otherwise#SKIP}.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface LeaderOnly {

    /** The name of the election; may hold {@code ${...}} placeholders. */
    String value() default Election.DEFAULT;

    /** What happens to a call that runs when leadership is lost. */
    OnLoss onLoss() default OnLoss.CONTINUE;
}
