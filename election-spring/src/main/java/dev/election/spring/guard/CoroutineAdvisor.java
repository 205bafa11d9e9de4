package dev.election.spring.guard;

import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.support.DefaultPointcutAdvisor;

/** Marks the interceptor that runs guarded suspend functions. It must be the last one, since it does not call further interceptors. */
final class CoroutineAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    CoroutineAdvisor(MethodInterceptor interceptor) {
        super(interceptor);
    }
}
