package dev.election.aop;

import dev.election.CurrentWork;
import dev.election.LeaderWork;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** Restores the current work of a guarded call on the thread to which earlier advice, such as that of {@code @Async}, has moved the call. */
final class CurrentWorkInterceptor implements MethodInterceptor {

    private static final String WORK = CurrentWork.class.getName();

    /** To be called on the thread of the caller, before the call is moved. */
    static void attach(CurrentWork work, MethodInvocation invocation) {
        ((ProxyMethodInvocation) invocation).setUserAttribute(WORK, work);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        if (!(((ProxyMethodInvocation) invocation).getUserAttribute(WORK) instanceof CurrentWork work)) {
            // Not guarded, or called at each subscription.
            return invocation.proceed();
        }
        try (LeaderWork.Scope scope = work.onThisThread()) {
            return invocation.proceed();
        }
    }
}
