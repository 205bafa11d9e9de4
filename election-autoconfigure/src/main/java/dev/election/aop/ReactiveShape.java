package dev.election.aop;

import dev.election.CurrentWork;
import dev.election.LeaderWork;
import dev.election.NotLeaderException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The result of a reactive method: the method is called with each subscription, and its work ends with it. */
record ReactiveShape(ReactiveAdapter adapter) implements ColdShape {

    /** The key of the {@link CurrentWork} in the context of the subscribers within it. */
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

    /** Not that of a super type: what it makes would not be of the type that the method promises. */
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

    @Override
    public boolean mayBlockThisThread() {
        return !Schedulers.isInNonBlockingThread();
    }

    /**
     * The work is that of the thread that subscribes, as it was that of the method that described it, and goes with the subscription
     * to whatever thread that subscribes to another guarded publisher in turn. Directly, since a {@code Mono} of any other publisher
     * cancels it at the first value, and the work would take its success for an abortion.
     */
    @Override
    public Object watch(@Nullable Object result, LeaderWork work) {
        CurrentWork current = CurrentWork.get();
        Publisher<Object> marked = subscribedWithin(current, adapter.toPublisher(result));
        return adapter.fromPublisher(
                adapter.isMultiValue()
                        ? Flux.from(marked)
                                .doFinally(end -> work.close())
                                .contextWrite(context -> with(current, context))
                        : Mono.fromDirect(marked)
                                .doFinally(end -> work.close())
                                .contextWrite(context -> with(current, context)));
    }

    /** The same publisher, of which the work is that of the thread that subscribes. */
    static Publisher<Object> subscribedWithin(CurrentWork work, Publisher<?> publisher) {
        return subscriber -> {
            try (LeaderWork.Scope scope = work.onThisThread()) {
                publisher.subscribe(subscriber);
            }
        };
    }

    /** The context of a subscriber whose publishers are parts of that work. */
    static Context with(CurrentWork work, Context context) {
        return context.put(CURRENT_WORK, work);
    }

    /** The thread may be any by now; what subscribes knows best of which work it is a part. */
    private Publisher<Object> publisherOf(Call call, ContextView subscriber) {
        CurrentWork current = subscriber.hasKey(CURRENT_WORK) ? subscriber.get(CURRENT_WORK) : CurrentWork.get();
        try (LeaderWork.Scope scope = current.onThisThread()) {
            return adapter.toPublisher(call.make());
        } catch (Throwable failure) {
            throw Exceptions.propagate(failure);
        }
    }
}
