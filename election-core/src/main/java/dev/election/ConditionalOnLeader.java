package dev.election;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Decides at each call, not at startup as the conditions of Spring Boot do, whether this node leads and the method may run. May
 * be put on an annotation of one's own.
 *
 * @see LeaderOnly
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface ConditionalOnLeader {

    /** The name of the election; may hold {@code ${...}} placeholders. */
    String election() default Election.DEFAULT;

    /** What a call does on a node that does not lead. */
    Otherwise otherwise() default Otherwise.SKIP;

    /** What happens to a call that runs when leadership is lost. */
    OnLoss onLoss() default OnLoss.CONTINUE;
}
