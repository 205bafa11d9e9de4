package dev.election.spring.guard;

import org.springframework.aop.support.DefaultPointcutAdvisor;

/** Marks the leader check among the advisors of a proxy. */
final class LeaderGuardAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    LeaderGuardAdvisor(LeaderInterceptor check) {
        super(check);
    }

    /**
     * Returns an advisor with the same check for calls that later advice may move to other threads, where a {@link CurrentWorkInterceptor}
     * sees them.
     */
    LeaderGuardAdvisor handingOn() {
        return new LeaderGuardAdvisor(((LeaderInterceptor) getAdvice()).handingOn());
    }
}
