package dev.election;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Calls a {@code @Scheduled} method for each partition of a group that this process leads, each on a schedule of its own: it begins when this process
 * has become the leader of the partition, and ends with that leadership. A partition whose call takes long holds up no other. Within the
 * method {@link Partition#current()} is the partition.
 *
 * <p>These are errors at the start: a method that has parameters or a result or suspends, one that is not scheduled, one with a leader guard, and a group
 * that is not configured. A call by hand fails: {@code PartitionGroup.runIfHeld} is for that.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Partitioned {

    /** The name of the group; may contain {@code ${...}} placeholders. */
    String value();

    /** The effect of a loss of the partition on a running call. */
    OnLoss onLoss() default OnLoss.CONTINUE;
}
