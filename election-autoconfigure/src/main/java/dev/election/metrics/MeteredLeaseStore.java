package dev.election.metrics;

import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Measures the duration and the outcome of renewals. */
public final class MeteredLeaseStore extends ForwardingLeaseStore {

    private final Supplier<MeterRegistry> registry;

    /**
     * Creates the store.
     *
     * @param store the store to measure
     * @param registry where to register the meter; called at the first renewal
     */
    public MeteredLeaseStore(LeaseStore store, Supplier<MeterRegistry> registry) {
        super(store);
        this.registry = registry;
    }

    @Override
    public CompletionStage<RenewReply> renew(RenewRequest request) {
        long sentAt = System.nanoTime();
        CompletionStage<RenewReply> renewal = super.renew(request);
        // A separate stage: a failure of the meter must not fail the renewal.
        CompletionStage<?> unused = renewal.whenComplete((reply, failure) -> {
            long took = System.nanoTime() - sentAt;
            Timer.builder(ElectionMeters.RENEWALS)
                    .description("How long renewals of the lease take")
                    .tag("election", request.candidate().election())
                    .tag("outcome", outcome(reply))
                    .register(registry.get())
                    .record(took, TimeUnit.NANOSECONDS);
        });
        return renewal;
    }

    private static String outcome(RenewReply reply) {
        if (reply instanceof RenewReply.Renewed) {
            return "renewed";
        }
        return reply instanceof RenewReply.Lost ? "lost" : "no-answer";
    }
}
