package dev.election.autoconfigure.internal.observation;

import dev.election.FencingToken;
import dev.election.spring.calls.CallObserver;
import dev.election.spring.calls.CallOutcome;
import dev.election.spring.calls.CallerContext;
import dev.election.support.PartitionName;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationRegistry;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.ScheduledTaskObservationContext;

/**
 * Adds to an observation the election, the outcome and the token of the first guarded call within it.
 *
 * <p>Each run of a {@code @Scheduled} method gets the election and the outcome with low cardinality, also a run without a guarded call: all
 * timers of one name must have the same tags in a registry such as that of Prometheus. Every other observation gets them with high
 * cardinality, which meters ignore.
 */
public final class ObservedCalls implements CallObserver, ObservationFilter {

    /** The key of an observation in the context of a subscriber: ObservationThreadLocalAccessor.KEY, a class that needs another library. */
    private static final String OBSERVATION = "micrometer.observation";

    private static final KeyValues NO_CALL = keyValues(KeyValue.NONE_VALUE, KeyValue.NONE_VALUE);

    private final Supplier<ObservationRegistry> registry;
    private final Supplier<Set<String>> groups;

    /**
     * Observes no call yet.
     *
     * @param registry of the observations; called at each guarded call
     * @param groups the names of the groups of partitions, each of which stands for its partitions; called then, too
     */
    public ObservedCalls(Supplier<ObservationRegistry> registry, Supplier<Set<String>> groups) {
        this.registry = registry;
        this.groups = groups;
    }

    @Override
    public void called(String election, CallOutcome outcome, @Nullable FencingToken token, CallerContext caller) {
        Observation observation = caller.get(OBSERVATION) instanceof Observation subscribed
                ? subscribed
                : registry.get().getCurrentObservation();
        if (observation != null) {
            // By threads at a time, where calls run in parallel within one observation. Key values may only be added by
            // one.
            String shown = PartitionName.shown(election, groups.get());
            observation.getContext().computeIfAbsent(Call.class, first -> new Call(shown, outcome, token));
        }
    }

    /** Called when an observation ends. */
    @Override
    public Observation.Context map(Observation.Context context) {
        Call call = context.get(Call.class);
        if (context instanceof ScheduledTaskObservationContext) {
            context.addLowCardinalityKeyValues(call == null ? NO_CALL : call.keyValues());
        } else if (call != null) {
            context.addHighCardinalityKeyValues(call.keyValues());
        }
        if (call != null && call.token != null) {
            context.addHighCardinalityKeyValue(KeyValue.of("election.token", call.token.toString()));
        }
        return context;
    }

    private static KeyValues keyValues(String election, String outcome) {
        return KeyValues.of("election", election, "election.outcome", outcome);
    }

    private record Call(String election, CallOutcome outcome, @Nullable FencingToken token) {

        KeyValues keyValues() {
            return ObservedCalls.keyValues(election, outcome.tag());
        }
    }
}
