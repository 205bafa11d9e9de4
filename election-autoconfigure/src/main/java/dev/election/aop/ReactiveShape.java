package dev.election.aop;

import dev.election.LeaderWork;
import dev.election.NotLeaderException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The result of a reactive method: its work begins with each subscription and ends with it, since a publisher that nobody
 * subscribes to never ends.
 */
record ReactiveShape(ReactiveAdapter adapter) implements ReturnShape {

    private static final boolean REACTOR_IS_PRESENT =
            ClassUtils.isPresent("reactor.core.publisher.Flux", ReactiveShape.class.getClassLoader());

    static boolean isReactive(Class<?> type) {
        return REACTOR_IS_PRESENT && !type.isPrimitive() && adapterOf(type) != null;
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
    public @Nullable Object watch(
            @Nullable Object result, LeaderWork work, Supplier<Optional<LeaderWork>> again, Supplier<Object> refused) {
        work.close();
        if (result == null) {
            return null;
        }
        Publisher<Object> publisher = adapter.toPublisher(result);
        return adapter.fromPublisher(
                adapter.isMultiValue()
                        ? Flux.defer(() -> again.get()
                                .map(admitted -> Flux.from(publisher).doFinally(end -> admitted.close()))
                                .orElseGet(() -> Flux.from(adapter.toPublisher(refused.get()))))
                        : Mono.defer(() -> again.get()
                                .map(admitted -> Mono.from(publisher).doFinally(end -> admitted.close()))
                                .orElseGet(() -> Mono.from(adapter.toPublisher(refused.get())))));
    }
}
