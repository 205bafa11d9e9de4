package dev.election.test;

import dev.election.Election;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets this node lead from before {@code @BeforeEach} of a test method on; on a class, of each of its methods. Elections named on a
 * method are added to those on its class. The context needs {@link TestElections}: without them the test fails.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface Leads {

    /** The names of the elections. */
    String[] value() default Election.DEFAULT;
}
