package dev.election.spring.internal.shape;

import dev.election.CurrentWork;
import dev.election.LeaderWork;
import dev.election.spring.coroutines.CurrentWorkElement;
import java.util.function.Consumer;
import kotlin.ResultKt;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowCollector;
import org.jspecify.annotations.Nullable;

/**
 * A flow whose collection is leader work. It is collected in the coroutine of its collector, as without a guard, but its context contains
 * the {@link CurrentWorkElement}, which the collector does not see when it is called with a value.
 */
final class WatchedFlow implements Flow<Object> {

    private final Flow<Object> flow;
    private final LeaderWork work;
    private final CurrentWork inside;

    /**
     * Wraps a flow.
     *
     * @param work ends with the collection
     * @param inside the current work within the flow
     */
    WatchedFlow(Flow<Object> flow, LeaderWork work, CurrentWork inside) {
        this.flow = flow;
        this.work = work;
        this.inside = inside;
    }

    @Override
    public @Nullable Object collect(FlowCollector<? super Object> collector, Continuation<? super Unit> collecting) {
        CurrentWork outside = CurrentWork.get();
        CoroutineContext contextInside = collecting.getContext().plus(new CurrentWorkElement(inside));
        Crossing end = new Crossing(contextInside, outside, result -> {
            tellIfFailed(result);
            work.close();
            collecting.resumeWith(result);
        });
        boolean goesOn = false;
        try (LeaderWork.Scope scope = inside.onThisThread()) {
            Object result = flow.collect(
                    (value, emitting) -> {
                        try (LeaderWork.Scope collected = outside.onThisThread()) {
                            return collector.emit(
                                    value, new Crossing(collecting.getContext(), inside, emitting::resumeWith));
                        }
                    },
                    end);
            goesOn = result == IntrinsicsKt.getCOROUTINE_SUSPENDED();
            return result;
        } catch (Throwable failure) {
            FailingWork.tell(work, failure);
            throw failure;
        } finally {
            if (!goesOn) {
                work.close();
            }
        }
    }

    private void tellIfFailed(Object result) {
        try {
            ResultKt.throwOnFailure(result);
        } catch (Throwable failure) {
            FailingWork.tell(work, failure);
        }
    }

    /**
     * Switches the current work where control passes between a flow and its collector on the same thread, without a dispatcher.
     *
     * @param context of the side that control leaves
     * @param work the current work of the side that control enters
     * @param next continues there with the result
     */
    private record Crossing(CoroutineContext context, CurrentWork work, Consumer<Object> next)
            implements Continuation<Unit> {

        @Override
        public CoroutineContext getContext() {
            return context;
        }

        @Override
        public void resumeWith(Object result) {
            try (LeaderWork.Scope scope = work.onThisThread()) {
                next.accept(result);
            }
        }
    }
}
