package dev.election.spring.guard;

import dev.election.CurrentWork;
import dev.election.OnLoss;
import dev.election.spring.coroutines.CurrentWorkElement;
import dev.election.spring.internal.interruption.Interruptions;
import dev.election.spring.internal.shape.CoroutineCall;
import dev.election.spring.internal.shape.CoroutineShape;
import dev.election.spring.internal.shape.KotlinFailure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.CoroutineScope;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.reactor.MonoKt;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Runs guarded suspend functions after all other advice, in place of Spring, whose coroutine would not contain the current work: here the
 * coroutine has the {@link CurrentWorkElement} and the context of its caller except the job.
 */
final class CoroutineInterceptor implements MethodInterceptor {

    private final GuardedMethods methods;
    private final Interruptions interruptions;

    CoroutineInterceptor(GuardedMethods methods, Interruptions interruptions) {
        this.methods = methods;
        this.interruptions = interruptions;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        GuardedMethods.Guarded found = methods.find(invocation.getMethod());
        if (found == null || !(found.shape() instanceof CoroutineShape)) {
            return invocation.proceed();
        }
        boolean cancelOnLoss = found.guard().onLoss() == OnLoss.INTERRUPT;
        return Mono.deferContextual(subscriber -> coroutine(invocation, cancelOnLoss, subscriber));
    }

    private Mono<Object> coroutine(MethodInvocation invocation, boolean cancelOnLoss, ContextView subscriber) {
        Optional<CoroutineCall> call = subscriber.getOrEmpty(CoroutineCall.class);
        CurrentWork current = call.map(CoroutineCall::current).orElseGet(CurrentWork::get);
        @Nullable Object[] arguments = invocation.getArguments().clone();
        int last = arguments.length - 1;
        CoroutineContext context = contextOf((Continuation<?>) arguments[last]).plus(new CurrentWorkElement(current));
        return MonoKt.mono(context, (scope, continuation) -> {
            Job job = jobOf(scope);
            call.ifPresent(known -> {
                known.begun(job);
                if (cancelOnLoss) {
                    known.cancelOnLoss(job, interruptions);
                }
            });
            arguments[last] = continuation;
            return call(invocation.getMethod(), invocation.getThis(), arguments);
        });
    }

    /** The context of the caller without the job: the Mono creates its own and accepts no other. */
    private static CoroutineContext contextOf(Continuation<?> caller) {
        return Dispatchers.getUnconfined().plus(caller.getContext().minusKey(Job.Key));
    }

    private static Job jobOf(CoroutineScope scope) {
        return scope.getCoroutineContext().get(Job.Key);
    }

    private static @Nullable Object call(Method method, @Nullable Object target, @Nullable Object[] arguments) {
        Method original = BridgeMethodResolver.findBridgedMethod(method);
        ReflectionUtils.makeAccessible(original);
        try {
            return original.invoke(target, arguments);
        } catch (InvocationTargetException failure) {
            throw KotlinFailure.thrown(failure.getTargetException());
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
