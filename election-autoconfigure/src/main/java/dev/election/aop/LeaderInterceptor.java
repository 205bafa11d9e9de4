package dev.election.aop;

import dev.election.Election;
import dev.election.LeaderWork;
import dev.election.NotLeaderException;
import dev.election.OnLoss;
import dev.election.Otherwise;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Lets a call of a guarded method pass on the leader, and counts it as running until its result has ended. */
final class LeaderInterceptor implements MethodInterceptor {

    private final GuardedMethods methods;
    private final Interruptions interruptions;
    private final Duration waitForResult;

    /** Asked at each call: what observes may be made later than what is guarded. */
    private final Supplier<CallObserver> observer;

    LeaderInterceptor(
            GuardedMethods methods,
            Interruptions interruptions,
            Duration waitForResult,
            Supplier<CallObserver> observer) {
        this.observer = observer;
        this.methods = methods;
        this.interruptions = interruptions;
        this.waitForResult = waitForResult;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        GuardedMethods.Guarded found = methods.find(invocation.getMethod());
        if (found == null) {
            return invocation.proceed();
        }
        Guard guard = found.guard();
        ReturnShape shape = found.shape();
        Election election = guard.election().get();
        Optional<LeaderWork> admitted = admit(election);
        if (admitted.isEmpty()) {
            observer.get()
                    .called(
                            election.name(),
                            guard.otherwise() == Otherwise.SKIP ? CallOutcome.SKIPPED : CallOutcome.REJECTED);
            return refused(guard, election, shape);
        }
        observer.get().called(election.name(), CallOutcome.RAN);
        return proceed(invocation, guard, election, shape, observed(admitted.get(), election, invocation));
    }

    private Optional<LeaderWork> admit(Election election) {
        Optional<LeaderWork> admitted = election.beginWork();
        if (admitted.isPresent() || waitForResult.isZero()) {
            return admitted;
        }
        try {
            return election.awaitResult(waitForResult) ? election.beginWork() : admitted;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return admitted;
        }
    }

    private @Nullable Object proceed(
            MethodInvocation invocation, Guard guard, Election election, ReturnShape shape, LeaderWork work)
            throws Throwable {
        boolean watched = false;
        try (LeaderWork.Scope scope = work.onThisThread()) {
            Object result = guard.onLoss() == OnLoss.INTERRUPT
                    ? interruptibly(invocation, election, work)
                    : invocation.proceed();
            watched = true;
            return shape.watch(
                    result,
                    work,
                    () -> election.beginWork().map(more -> observed(more, election, invocation)),
                    () -> refused(guard, election, shape));
        } finally {
            if (!watched) {
                work.close();
            }
        }
    }

    private LeaderWork observed(LeaderWork work, Election election, MethodInvocation invocation) {
        return observer.get().begun(election.name(), invocation.getMethod(), work);
    }

    private @Nullable Object interruptibly(MethodInvocation invocation, Election election, LeaderWork work)
            throws Throwable {
        try (Interruptions.Call call = interruptions.enter(election, work.token())) {
            return invocation.proceed();
        }
    }

    private static @Nullable Object refused(Guard guard, Election election, ReturnShape shape) {
        return guard.otherwise() == Otherwise.SKIP
                ? shape.nothing()
                : shape.failure(new NotLeaderException(election.name(), election.leader()));
    }
}
