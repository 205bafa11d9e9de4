package dev.election.autoconfigure.internal.metrics;

import dev.election.autoconfigure.metrics.ApplicationTag;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreRequest;
import dev.election.support.PartitionName;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Measures the duration and the outcome of renewals. */
public final class MeteredLeaseStore extends ForwardingLeaseStore {

    private final Supplier<MeterRegistry> registry;
    private final Set<String> groups;

    /**
     * Creates the store.
     *
     * @param store the store to measure
     * @param registry where to register the meter; called at the first renewal
     * @param groups the names of the groups of partitions; partitions have the meter of their group
     */
    public MeteredLeaseStore(LeaseStore store, Supplier<MeterRegistry> registry, Set<String> groups) {
        super(store);
        this.registry = registry;
        this.groups = groups;
    }

    @Override
    public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
        long sentAt = System.nanoTime();
        List<CompletionStage<?>> replies = super.send(requests);
        for (int i = 0; i < requests.size(); i++) {
            if (requests.get(i) instanceof RenewRequest renewal) {
                measure(renewal, replies.get(i), sentAt);
            }
        }
        return replies;
    }

    private void measure(RenewRequest renewal, CompletionStage<?> outcome, long sentAt) {
        // A separate stage: a failure of the meter must not fail the renewal.
        CompletionStage<?> unused = outcome.whenComplete((reply, failure) -> {
            long took = System.nanoTime() - sentAt;
            Timer.builder(ElectionMeters.RENEWALS)
                    .description("How long renewals of the lease take")
                    .tag(
                            ApplicationTag.KEY,
                            ApplicationTag.of(renewal.candidate().node()))
                    .tag("election", PartitionName.shown(renewal.candidate().election(), groups))
                    .tag("outcome", outcome(reply))
                    .register(registry.get())
                    .record(took, TimeUnit.NANOSECONDS);
        });
    }

    private static String outcome(Object reply) {
        if (reply instanceof RenewReply.Renewed) {
            return "renewed";
        }
        return reply instanceof RenewReply.Lost ? "lost" : "no-answer";
    }
}
