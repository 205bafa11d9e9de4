package dev.election.spring.guard;

/** Names classes whose guard is enforced by another component, so that their methods get no proxy for it. */
@FunctionalInterface
public interface GuardedElsewhere {

    /** Whether another component enforces a guard on that class. Guards on its methods are enforced by the proxy all the same. */
    boolean isGuardedElsewhere(Class<?> type);
}
