package dev.election.fencing;

import dev.election.Election;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets the transaction of a method commit only while no newer leader has begun to write the same resource. For {@code @Transactional}
 * methods that are called within leader work, as those of a {@code @LeaderOnly} method are:
 *
 * <pre>{@code
 * @LeaderOnly
 * @Scheduled(cron = "0 0 2 * * *")
 * @Transactional
 * @Fenced(resource = "billing")
 * public void bill() { ... }
 * }</pre>
 *
 * <p>Before its first transaction under a new fencing token a node raises the row of the resource in the table {@code election_fence} to that
 * token. Each fenced transaction reads the row before its commit and holds a shared lock on it until then. If the row has a newer token, the
 * transaction is rolled back and the call fails with a {@link StaleLeaderException}, whatever {@code noRollbackFor} says.
 *
 * <p>The whole transaction in which the method runs is fenced. A method with {@code REQUIRES_NEW} that it calls has a transaction of
 * its own, which is fenced if that method is marked too. What is not part of the transaction, such as a message or a call of another service,
 * is not fenced.
 *
 * <p>On a type for all its methods that a proxy can intercept. An error at the start if the method has no transaction, may run without one, is
 * read-only or reactive, or can't be intercepted.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface Fenced {

    /**
     * The name of what the transaction writes, of 1 to 255 characters; may contain {@code ${...}} placeholders. Methods that write the same
     * data, of whatever application, name the same resource. A resource belongs to one election. In the work of a partition {@code orders}
     * becomes the resource {@code orders@<group>.<index>}, unless {@link #election()} is set.
     */
    String resource();

    /** The name of the election whose leader may write, unless that is a partition; may contain {@code ${...}} placeholders. */
    String election() default Election.DEFAULT;
}
