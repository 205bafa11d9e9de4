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

    /**
     * The next leader of a partition runs a slot of {@code @Scheduled(cron = ...)} that no leader of it has run, as {@link
     * LeaderOnly#recoverWithin()} says. Each partition has slots of its own, in the ledger of its election.
     */
    String recoverWithin() default "";

    /** The time after a start for a partition in which it is not started again for it, as {@link LeaderOnly#atLeastFor()} says. */
    String atLeastFor() default "";

    /** The longest time that a call for one partition may run, as {@link LeaderOnly#atMostFor()} says. */
    String atMostFor() default "";

    /** The choice among several slots of a partition that were missed. */
    Recover recover() default Recover.LATEST;

    /** Whether the next leader of a partition runs a slot again that had begun, as {@link LeaderOnly#rerunInterrupted()} says. */
    boolean rerunInterrupted() default false;

    /**
     * The name of the job in the records of each partition, as {@link LeaderOnly#job()} says. Runs are recorded only with this, {@link
     * #recoverWithin()} or {@link #atLeastFor()}.
     */
    String job() default "";
}
