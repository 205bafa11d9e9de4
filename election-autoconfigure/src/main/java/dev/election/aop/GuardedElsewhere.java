package dev.election.aop;

/** Tells of classes whose guard is no matter of their methods, since somebody else keeps it. */
@FunctionalInterface
public interface GuardedElsewhere {

    /** Whether a guard on that class is kept elsewhere. Guards on its methods are kept here all the same. */
    boolean isGuardedElsewhere(Class<?> type);
}
