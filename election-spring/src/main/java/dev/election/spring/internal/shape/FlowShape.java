package dev.election.spring.internal.shape;

import dev.election.CurrentWork;
import dev.election.LeaderWork;
import dev.election.NotLeaderException;
import dev.election.spring.calls.CallerContext;
import dev.election.spring.internal.interruption.CallPlace;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowKt;
import kotlinx.coroutines.reactor.ReactorContext;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** The result of a method that returns a Kotlin flow: the method is called at each collection, and its work ends with the collection. */
enum FlowShape implements ColdShape {
    INSTANCE;

    private static final boolean BRIDGE_IS_PRESENT =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.ReactorContext", FlowShape.class.getClassLoader());

    @Override
    public Object nothing() {
        return FlowKt.emptyFlow();
    }

    @Override
    public Object failure(NotLeaderException refusal) {
        return (Flow<Object>) (collector, continuation) -> {
            throw refusal;
        };
    }

    @Override
    public Object atEachSubscription(Call call) {
        return (Flow<Object>)
                (collector, collecting) -> made(call, callerOf(collecting)).collect(collector, collecting);
    }

    @Override
    public Object watch(@Nullable Object result, LeaderWork work, @Nullable CallPlace place) {
        return new WatchedFlow(flow(result), work, CurrentWork.get());
    }

    /** A flow may be collected for a subscriber, as that of a {@code @Scheduled} method is. */
    private static CallerContext callerOf(Continuation<?> collecting) {
        return BRIDGE_IS_PRESENT ? key -> Subscriber.get(key, collecting.getContext()) : CallerContext.NONE;
    }

    private static Flow<Object> made(Call call, CallerContext caller) {
        try {
            return flow(call.make(caller));
        } catch (Throwable failure) {
            throw KotlinFailure.thrown(failure);
        }
    }

    @SuppressWarnings("unchecked")
    private static Flow<Object> flow(@Nullable Object result) {
        return result == null ? FlowKt.emptyFlow() : (Flow<Object>) result;
    }

    /** The context of a subscriber. Not to be loaded without Reactor. */
    private static final class Subscriber {

        static @Nullable Object get(Object key, CoroutineContext collecting) {
            ReactorContext context = collecting.get(ReactorContext.Key);
            return context == null ? null : context.getContext().getOrEmpty(key).orElse(null);
        }
    }
}
