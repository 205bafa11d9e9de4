package dev.election.fencing.http;

import dev.election.fencing.TokenGate;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets a Spring MVC handler be called only with a {@code Fencing-Token} that is not older than the newest one that was received for the
 * resource: 412 for an older one, 400 for none or one that is implausible ({@link TokenGate#PLAUSIBLE_AHEAD}), 401 without an authenticated
 * caller.
 *
 * <p>A newer leader may call between this check and what the handler writes. A {@code @Fenced} transaction of the same resource in the handler
 * takes the received token and is not overtaken.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RequireFencingToken {

    /** The name of the resource. Placeholders are resolved. */
    String value();
}
