package dev.election.spring.guard;

import dev.election.CurrentWork;
import dev.election.Election;
import dev.election.LeaderWork;
import dev.election.NotLeaderException;
import dev.election.OnLoss;
import dev.election.Otherwise;
import dev.election.spring.calls.CallObserver;
import dev.election.spring.calls.CallOutcome;
import dev.election.spring.calls.CallerContext;
import dev.election.spring.calls.JobGate;
import dev.election.spring.calls.OverdueWork;
import dev.election.spring.internal.interruption.CallLimits;
import dev.election.spring.internal.interruption.CallPlace;
import dev.election.spring.internal.interruption.Interruptions;
import dev.election.spring.internal.shape.ColdShape;
import dev.election.spring.internal.shape.FailingWork;
import dev.election.spring.internal.shape.ReturnShape;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Admits a call of a guarded method if this node leads, and counts it as running work until its result is complete. A method that returns
 * a publisher or a flow is called at each subscription, since the work that it describes is done then.
 */
final class LeaderInterceptor implements MethodInterceptor {

    private final GuardedMethods methods;

    /** The jobs of methods whose calls are jobs, by identity: the guards of two methods may be equal. */
    private final IdentityHashMap<GuardedMethods.Guarded, JobGate.Job> jobs;

    private final Interruptions interruptions;
    private final CallLimits limits;

    /** Called at each guarded call: the observer may be created later than the guarded bean. */
    private final Supplier<CallObserver> observer;

    /** Whether later advice may move calls to other threads. */
    private final boolean handsOn;

    /**
     * Creates an interceptor for calls that stay on the thread of their caller.
     *
     * @param methods that are guarded
     * @param jobs the jobs among them
     * @param interruptions interrupts calls when leadership is lost
     * @param limits ends calls that run for too long
     * @param observer observes the calls
     */
    LeaderInterceptor(
            GuardedMethods methods,
            IdentityHashMap<GuardedMethods.Guarded, JobGate.Job> jobs,
            Interruptions interruptions,
            CallLimits limits,
            Supplier<CallObserver> observer) {
        this.methods = methods;
        this.jobs = jobs;
        this.interruptions = interruptions;
        this.limits = limits;
        this.observer = observer;
        this.handsOn = false;
    }

    private LeaderInterceptor(LeaderInterceptor other) {
        this.methods = other.methods;
        this.jobs = other.jobs;
        this.interruptions = other.interruptions;
        this.limits = other.limits;
        this.observer = other.observer;
        this.handsOn = true;
    }

    /**
     * Returns an interceptor with the same check for calls that later advice may move to other threads, where a
     * {@link CurrentWorkInterceptor} sees them.
     */
    LeaderInterceptor handingOn() {
        return new LeaderInterceptor(this);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        GuardedMethods.Guarded found = methods.find(invocation.getMethod());
        if (found == null) {
            return invocation.proceed();
        }
        ColdShape cold = found.shape().cold();
        return cold == null ? call(invocation, found, CallerContext.NONE) : atEachSubscription(invocation, found, cold);
    }

    private Object atEachSubscription(MethodInvocation invocation, GuardedMethods.Guarded found, ColdShape cold) {
        return cold.atEachSubscription(
                caller -> call(((ProxyMethodInvocation) invocation).invocableClone(), found, caller));
    }

    private @Nullable Object call(MethodInvocation invocation, GuardedMethods.Guarded found, CallerContext caller)
            throws Throwable {
        MethodGuard guard = found.guard();
        Election election = guard.election().get();
        Optional<LeaderWork> admitted = election.beginWork();
        if (admitted.isEmpty()) {
            CallOutcome outcome = guard.otherwise() == Otherwise.SKIP ? CallOutcome.SKIPPED : CallOutcome.REJECTED;
            observer.get().called(election.name(), outcome, null, caller);
            return refused(guard, election, found.shape());
        }
        return enter(invocation, found, election, admitted.get(), caller);
    }

    private @Nullable Object enter(
            MethodInvocation invocation,
            GuardedMethods.Guarded found,
            Election election,
            LeaderWork admitted,
            CallerContext caller)
            throws Throwable {
        JobGate.Job job = jobs.get(found);
        LeaderWork entered = job == null ? admitted : job.enter(admitted).orElse(null);
        if (entered == null) {
            observer.get().called(election.name(), CallOutcome.WITHHELD, null, caller);
            return found.shape().nothing();
        }
        observer.get().called(election.name(), CallOutcome.RAN, entered.token(), caller);
        return run(invocation, found, election, job, observed(entered, election, invocation));
    }

    private @Nullable Object run(
            MethodInvocation invocation,
            GuardedMethods.Guarded found,
            Election election,
            JobGate.@Nullable Job job,
            LeaderWork work)
            throws Throwable {
        Duration atMost = found.guard().atMostFor();
        if (atMost == null) {
            // If a call is moved to another thread and returns a stage, the stage alone may show the end too early.
            CallPlace place = handsOn && found.shape() instanceof ReturnShape.Staged ? new CallPlace() : null;
            return proceed(invocation, found, election, begun(job, work), place);
        }
        CallPlace place = new CallPlace();
        try (CallPlace.Stay stay = place.enter()) {
            LeaderWork limited = limits.limit(OverdueWork.nameOf(invocation.getMethod()), atMost, place::stop, work);
            return proceed(invocation, found, election, begun(job, limited), place);
        }
    }

    private static LeaderWork begun(JobGate.@Nullable Job job, LeaderWork work) {
        if (job == null) {
            return work;
        }
        try {
            return job.begun(work);
        } catch (RuntimeException | Error failure) {
            work.close();
            throw failure;
        }
    }

    private @Nullable Object proceed(
            MethodInvocation invocation,
            GuardedMethods.Guarded found,
            Election election,
            LeaderWork work,
            @Nullable CallPlace place)
            throws Throwable {
        ReturnShape shape = found.shape();
        boolean watched = false;
        try (LeaderWork.Scope scope = work.onThisThread()) {
            if (handsOn && shape.cold() == null) {
                // The attributes of such calls are shared by all their subscribers.
                CurrentWorkInterceptor.attach(CurrentWork.get(), place, invocation);
            }
            Object result = found.guard().onLoss() == OnLoss.INTERRUPT
                    ? interruptibly(invocation, election, work)
                    : invocation.proceed();
            watched = true;
            return shape.watch(result, work, place);
        } catch (Throwable failure) {
            FailingWork.tell(work, failure);
            throw failure;
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
        try (Interruptions.Call call = interruptions.enterThisThread(election, work.token())) {
            return invocation.proceed();
        }
    }

    private static @Nullable Object refused(MethodGuard guard, Election election, ReturnShape shape) {
        return guard.otherwise() == Otherwise.SKIP
                ? shape.nothing()
                : shape.failure(new NotLeaderException(election.name(), election.leader()));
    }
}
