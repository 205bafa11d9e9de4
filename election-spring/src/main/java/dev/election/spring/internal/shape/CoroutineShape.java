package dev.election.spring.internal.shape;

import dev.election.CurrentWork;
import dev.election.LeaderWork;
import dev.election.NotLeaderException;
import dev.election.spring.internal.interruption.CallPlace;
import java.lang.reflect.Method;
import kotlin.Unit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import reactor.core.publisher.Mono;

/**
 * The result of a Kotlin suspend function. Between the proxy, which suspends its caller, and the {@code CoroutineInterceptor}, which
 * runs the function, Spring represents it by a {@code Mono}.
 *
 * @param empty what a skipped call returns
 */
public record CoroutineShape(@Nullable Object empty) implements ColdShape {

    private static final ReactiveShape MONO = ReactiveShape.of(Mono.class);

    /** The return type of the suspend function in Kotlin, which is the type argument of its last parameter. */
    public static Class<?> resultOf(Method method) {
        return ResolvableType.forMethodParameter(method, method.getParameterCount() - 1)
                .getGeneric(0)
                .resolve(Object.class);
    }

    static CoroutineShape of(Method method) {
        Class<?> result = resultOf(method);
        return new CoroutineShape(result == Unit.class ? Unit.INSTANCE : ReturnShape.emptyValue(result));
    }

    @Override
    public Object nothing() {
        return Mono.justOrEmpty(empty);
    }

    @Override
    public boolean skipsToNull() {
        return empty == null;
    }

    @Override
    public Object failure(NotLeaderException refusal) {
        return MONO.failure(refusal);
    }

    @Override
    public Object atEachSubscription(Call call) {
        return MONO.atEachSubscription(call);
    }

    /** The work ends before the caller is resumed, so that what the caller does next on the same thread is no part of it. */
    @Override
    public Object watch(@Nullable Object result, LeaderWork work, @Nullable CallPlace place) {
        Publisher<?> publisher = result instanceof Publisher<?> given ? given : Mono.justOrEmpty(result);
        CurrentWork current = CurrentWork.get();
        CoroutineCall call = new CoroutineCall(work, current);
        if (place != null) {
            place.cancelledBy(call::cancel);
        }
        return Mono.fromDirect(ReactiveShape.subscribedWithin(current, publisher))
                .doOnError(failure -> FailingWork.tell(work, failure))
                .doOnTerminate(work::close)
                .doOnCancel(call::abandoned)
                .contextWrite(context -> ReactiveShape.with(current, context).put(CoroutineCall.class, call));
    }
}
