package dev.election;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method only on the node that leads. On any other node a call is skipped and returns an empty result ({@code null}, an empty
 * {@code Optional}, a completed {@code CompletionStage}, an empty {@code Mono}, {@code Flux} or {@code Flow}). A method that returns a
 * publisher or a Kotlin {@code Flow} is called at each subscription, when the guard is checked. The work of a suspend function lasts until
 * its continuation is resumed. A method that returns a primitive type, or in Kotlin one that can't be {@code null}, is an error at the start.
 *
 * <p>Use it on a method of a bean, scheduled or not, or on a type for all its methods that a proxy can intercept: public, protected and
 * package-private ones. These are errors at the start: a private, static or final method with this annotation, a final class or a public
 * final method of a type with it, and a private, static or final method of such a type that is scheduled or is a listener. On a
 * type that implements Spring's {@code Lifecycle}, or on the {@code @Bean} method that returns one, the bean is started when this node
 * begins to lead and stopped when its leadership ends. On the class of a Quartz job it names the election of the job; only {@link #value()}
 * and {@link #onLoss()} may be set there. Short for {@link ConditionalOnLeader} with {@link Otherwise#SKIP}.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface LeaderOnly {

    /** The name of the election; may contain {@code ${...}} placeholders. */
    String value() default Election.DEFAULT;

    /** The effect of a loss of leadership on a running call. */
    OnLoss onLoss() default OnLoss.CONTINUE;

    /**
     * The next leader runs a slot of {@code @Scheduled(cron = ...)} that no leader has run, up to this long after its scheduled time, such as
     * {@code 10m}; never if empty or {@code 0}. With it each slot is recorded in the store before the method is called, so that no slot is
     * run twice; without an answer of the store the method is called later. May contain {@code ${...}} placeholders. On a type it is for its
     * methods with a cron expression; on a method without one it is an error at the start.
     */
    String recoverWithin() default "";

    /**
     * The time after a start of the method on any node in which it is not started again, by the clock of the store, such as {@code 5m}: for
     * methods with {@code fixedRate} or {@code fixedDelay}, whose times a new leader counts anew. The store records each start before the
     * method is called; without an answer within a tenth of that time the call is skipped. Choose it shorter than the interval by as much.
     * May contain {@code ${...}} placeholders. Not together with {@link #recoverWithin()}.
     */
    String atLeastFor() default "";

    /**
     * The longest time that a call may run, such as {@code 50m}. The thread of a call that runs for longer is interrupted, also that of an
     * {@code @Async} method that returns a {@code CompletableFuture}, and the coroutine of a suspend function is cancelled; other work can't
     * be ended. If it has not ended 10 s after that, this node gives up leadership without waiting for it, so that another node can do the
     * next work. From then on the two may overlap: the old one holds an old token, and its {@link LeaderWork#isCurrent()} is false. May
     * contain {@code ${...}} placeholders.
     */
    String atMostFor() default "";

    /** The choice among several slots that were missed. */
    Recover recover() default Recover.LATEST;

    /**
     * Whether the next leader runs a slot again that had begun when its leader ended, or that is claimed and not known to have begun. The
     * first run may have done a part of the work: {@link ScheduledSlot#isRerun()} tells the method of it. Needs {@link #recoverWithin()}.
     */
    boolean rerunInterrupted() default false;

    /**
     * The name of the job in records, the same on all nodes; the names of bean and method unless set. May contain {@code ${...}}
     * placeholders. Only for a method, not for a type.
     */
    String job() default "";
}
