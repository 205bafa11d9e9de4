package dev.election.spring.internal.guard;

import dev.election.CurrentWork;
import dev.election.LeaderWork;
import dev.election.NotLeaderException;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowKt;
import org.jspecify.annotations.Nullable;

/** The result of a method that returns a Kotlin flow: the method is called at each collection, and its work ends with the collection. */
enum FlowShape implements ColdShape {
    INSTANCE;

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
        return (Flow<Object>) (collector, continuation) -> made(call).collect(collector, continuation);
    }

    @Override
    public Object watch(@Nullable Object result, LeaderWork work, @Nullable CallPlace place) {
        return new WatchedFlow(flow(result), work, CurrentWork.get());
    }

    private static Flow<Object> made(Call call) {
        try {
            return flow(call.make());
        } catch (Throwable failure) {
            throw KotlinFailure.thrown(failure);
        }
    }

    @SuppressWarnings("unchecked")
    private static Flow<Object> flow(@Nullable Object result) {
        return result == null ? FlowKt.emptyFlow() : (Flow<Object>) result;
    }
}
