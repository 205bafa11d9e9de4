package dev.election.aop;

import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.support.DefaultPointcutAdvisor;

/** Tells what runs guarded suspend functions from advice; it must be the last one, since it asks for no more. */
final class CoroutineAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    CoroutineAdvisor(MethodInterceptor interceptor) {
        super(interceptor);
    }
}
