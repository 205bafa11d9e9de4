package dev.election.aop;

import dev.election.Election;
import dev.election.LeaderWork;
import dev.election.NotLeaderException;
import dev.election.OnLoss;
import dev.election.Otherwise;
import java.time.Duration;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Lets a call of a guarded method pass on the leader, and counts it as running until its result has ended. */
final class LeaderInterceptor implements MethodInterceptor {

    private final GuardedMethods methods;
    private final Interruptions interruptions;
    private final Duration waitForResult;

    LeaderInterceptor(GuardedMethods methods, Interruptions interruptions, Duration waitForResult) {
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
        return admitted.isEmpty()
                ? refused(guard, election, shape)
                : proceed(invocation, guard, election, shape, admitted.get());
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
            return shape.watch(result, work, election::beginWork, () -> refused(guard, election, shape));
        } finally {
            if (!watched) {
                work.close();
            }
        }
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
