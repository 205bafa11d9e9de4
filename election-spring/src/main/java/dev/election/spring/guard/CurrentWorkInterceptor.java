package dev.election.spring.guard;

import dev.election.CurrentWork;
import dev.election.LeaderWork;
import dev.election.spring.internal.interruption.CallPlace;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** Restores the current work of a guarded call on the thread to which earlier advice, such as that of {@code @Async}, has moved the call. */
final class CurrentWorkInterceptor implements MethodInterceptor {

    private static final String WORK = CurrentWork.class.getName();

    private record Moved(CurrentWork work, @Nullable CallPlace place) {}

    /**
     * Attaches the work to a call. To be called on the thread of the caller, before the call is moved.
     *
     * @param place notes where the call runs, {@code null} if nobody has to know
     */
    static void attach(CurrentWork work, @Nullable CallPlace place, MethodInvocation invocation) {
        ((ProxyMethodInvocation) invocation).setUserAttribute(WORK, new Moved(work, place));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        if (!(((ProxyMethodInvocation) invocation).getUserAttribute(WORK) instanceof Moved moved)) {
            // Not guarded, or called at each subscription.
            return invocation.proceed();
        }
        CallPlace place = moved.place();
        try (LeaderWork.Scope scope = moved.work().onThisThread();
                CallPlace.Stay stay = place == null ? null : place.enter()) {
            return invocation.proceed();
        }
    }
}
