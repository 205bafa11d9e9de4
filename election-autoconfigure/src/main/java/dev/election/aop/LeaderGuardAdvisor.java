package dev.election.aop;

import org.springframework.aop.support.DefaultPointcutAdvisor;

/** Tells the leader check from other advice. */
final class LeaderGuardAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    LeaderGuardAdvisor(LeaderInterceptor check) {
        super(check);
    }

    /** The same check for calls that a {@link CurrentWorkInterceptor} may see on other threads. */
    LeaderGuardAdvisor handingOn() {
        return new LeaderGuardAdvisor(((LeaderInterceptor) getAdvice()).handingOn());
    }
}
