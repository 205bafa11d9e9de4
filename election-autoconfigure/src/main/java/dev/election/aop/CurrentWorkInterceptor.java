package dev.election.aop;

import dev.election.CurrentWork;
import dev.election.LeaderWork;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** Takes the work of a guarded call to the thread to which the advice before has handed the call, as that for {@code @Async} does. */
final class CurrentWorkInterceptor implements MethodInterceptor {

    private static final String WORK = CurrentWork.class.getName();

    /** To be asked on the thread of the caller, before the call is handed on. */
    static void attach(CurrentWork work, MethodInvocation invocation) {
        ((ProxyMethodInvocation) invocation).setUserAttribute(WORK, work);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        if (!(((ProxyMethodInvocation) invocation).getUserAttribute(WORK) instanceof CurrentWork work)) {
            // Not guarded, or asked for by each subscriber.
            return invocation.proceed();
        }
        try (LeaderWork.Scope scope = work.onThisThread()) {
            return invocation.proceed();
        }
    }
}
