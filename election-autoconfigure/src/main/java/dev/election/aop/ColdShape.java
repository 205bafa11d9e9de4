package dev.election.aop;

import org.jspecify.annotations.Nullable;

/**
 * The result of a method that describes work which is done each time that somebody asks for it. Whoever calls the method only once, as
 * the scheduler of {@code @Scheduled} methods does while the application starts, asks again and again.
 */
interface ColdShape extends ReturnShape {

    /** A result of which everybody who asks for it gets a call of their own. */
    Object atEachSubscription(Call call);

    /** Whether a call may wait on this thread, which may serve many others. */
    default boolean mayBlockThisThread() {
        return true;
    }

    /** A guarded call, or its refusal. */
    interface Call {
        @Nullable
        Object make() throws Throwable;
    }
}
