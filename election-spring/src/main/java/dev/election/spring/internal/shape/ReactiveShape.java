package dev.election.spring.internal.shape;

import dev.election.CurrentWork;
import dev.election.LeaderWork;
import dev.election.NotLeaderException;
import dev.election.spring.internal.interruption.CallPlace;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The result of a reactive method: the method is called at each subscription, and its work ends with the subscription. */
record ReactiveShape(ReactiveAdapter adapter) implements ColdShape {

    /** The key of the {@link CurrentWork} in the context of subscribers. */
    private static final Object CURRENT_WORK = CurrentWork.class;

    static boolean isReactive(Class<?> type) {
        return !type.isPrimitive() && adapterOf(type) != null;
    }

    static ReactiveShape of(Class<?> type) {
        ReactiveAdapter adapter = adapterOf(type);
        if (adapter == null) {
            throw new IllegalArgumentException(type + " is not reactive");
        }
        return new ReactiveShape(adapter);
    }

    /** The adapter of that type alone: one of a supertype would create a value that is not of the return type. */
    private static @Nullable ReactiveAdapter adapterOf(Class<?> type) {
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        return adapter != null && adapter.getReactiveType() == type ? adapter : null;
    }

    @Override
    public Object nothing() {
        return adapter.fromPublisher(Mono.empty());
    }

    @Override
    public Object failure(NotLeaderException refusal) {
        return adapter.fromPublisher(Mono.error(refusal));
    }

    @Override
    public Object atEachSubscription(Call call) {
        return adapter.fromPublisher(
                adapter.isMultiValue()
                        ? Flux.deferContextual(context -> Flux.from(publisherOf(call, context)))
                        : Mono.deferContextual(context -> Mono.fromDirect(publisherOf(call, context))));
    }

    /**
     * The work becomes the current work of the thread that subscribes, as it was that of the method, and the context of the subscriber
     * carries it to threads that subscribe to further guarded publishers. {@code Mono.fromDirect}, since {@code Mono.from} cancels the
     * publisher at its first value, which would look like a cancelled subscription.
     */
    @Override
    public Object watch(@Nullable Object result, LeaderWork work, @Nullable CallPlace place) {
        CurrentWork current = CurrentWork.get();
        Publisher<Object> marked = subscribedWithin(current, adapter.toPublisher(result));
        return adapter.fromPublisher(
                adapter.isMultiValue()
                        ? Flux.from(marked)
                                .doOnError(failure -> FailingWork.tell(work, failure))
                                .doFinally(end -> ended(work, end))
                                .contextWrite(context -> with(current, context))
                        : Mono.fromDirect(marked)
                                .doOnError(failure -> FailingWork.tell(work, failure))
                                .doFinally(end -> ended(work, end))
                                .contextWrite(context -> with(current, context)));
    }

    private static void ended(LeaderWork work, SignalType end) {
        if (end == SignalType.CANCEL) {
            FailingWork.tell(work, new CancellationException("The subscription was cancelled"));
        }
        work.close();
    }

    /** Returns the publisher with that work as the current work of the thread that subscribes. */
    static Publisher<Object> subscribedWithin(CurrentWork work, Publisher<?> publisher) {
        return subscriber -> {
            try (LeaderWork.Scope scope = work.onThisThread()) {
                publisher.subscribe(subscriber);
            }
        };
    }

    /** The context of a subscriber with that work as the current work. */
    static Context with(CurrentWork work, Context context) {
        return context.put(CURRENT_WORK, work);
    }

    /** The context of the subscriber decides which work this is a part of, since the thread may be any thread by now. */
    private Publisher<Object> publisherOf(Call call, ContextView subscriber) {
        CurrentWork current = subscriber.hasKey(CURRENT_WORK) ? subscriber.get(CURRENT_WORK) : CurrentWork.get();
        try (LeaderWork.Scope scope = current.onThisThread()) {
            return adapter.toPublisher(
                    call.make(key -> subscriber.getOrEmpty(key).orElse(null)));
        } catch (Throwable failure) {
            throw Exceptions.propagate(failure);
        }
    }
}
