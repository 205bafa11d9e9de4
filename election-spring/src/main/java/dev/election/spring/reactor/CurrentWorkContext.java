package dev.election.spring.reactor;

import dev.election.CurrentWork;
import reactor.util.context.ContextView;

/**
 * The {@link CurrentWork} of a subscriber. The context of a guarded publisher and that of a WebFlux handler with {@code @OnLeader} contain it,
 * so it is known on each thread and behind each asynchronous step:
 *
 * <pre>{@code
 * Mono.deferContextual(context -> orders.write(CurrentWorkContext.from(context).token().orElseThrow()))
 * }</pre>
 */
public final class CurrentWorkContext {

    private CurrentWorkContext() {}

    /** The work in that context, or that of the calling thread if the context has none. */
    public static CurrentWork from(ContextView context) {
        return context.<CurrentWork>getOrEmpty(CurrentWork.class).orElseGet(CurrentWork::get);
    }
}
