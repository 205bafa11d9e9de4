package dev.election.routing;

import dev.election.Election;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets only the leader serve the requests of a handler method with {@code @RequestMapping}, or of all handler methods of a controller. On the
 * leader a request is leader work until its response has ended. On any other node {@link #mode()} decides what happens to it.
 *
 * <p>The decision is made in a filter behind that of Spring Security: who may not call the handler is refused first. A request that another
 * handler dispatches within the same server is not routed.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface OnLeader {

    /** The name of the election; may contain {@code ${...}} placeholders. */
    String value() default Election.DEFAULT;

    /** The answer of a node that does not lead: to forward, to redirect or to refuse. */
    RoutingMode mode() default RoutingMode.FORWARD;
}
