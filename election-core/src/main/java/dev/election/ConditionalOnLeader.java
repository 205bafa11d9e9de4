package dev.election;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method only if this node leads. This is decided at each call, not at startup as by the conditions of Spring Boot. A running
 * call is not ended when the leadership ends, unless {@link #onLoss} says so. The annotation can be used as a meta-annotation.
 *
 * @see LeaderOnly
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface ConditionalOnLeader {

    /** The name of the election; may contain {@code ${...}} placeholders. */
    String election() default Election.DEFAULT;

    /** The behaviour of a call on a node that does not lead. */
    Otherwise otherwise() default Otherwise.SKIP;

    /** The effect of a loss of leadership on a running call. */
    OnLoss onLoss() default OnLoss.CONTINUE;
}
