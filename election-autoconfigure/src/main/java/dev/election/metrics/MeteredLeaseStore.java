package dev.election.metrics;

import dev.election.lease.AnnounceReply;
import dev.election.lease.CampaignReply;
import dev.election.lease.CampaignRequest;
import dev.election.lease.EvictReply;
import dev.election.lease.EvictRequest;
import dev.election.lease.Hint;
import dev.election.lease.LeaseStore;
import dev.election.lease.ReadReply;
import dev.election.lease.ReleaseReply;
import dev.election.lease.ReleaseRequest;
import dev.election.lease.RenewReply;
import dev.election.lease.RenewRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Measures how long renewals take and what comes of them. */
public final class MeteredLeaseStore implements LeaseStore {

    private final LeaseStore store;
    private final Supplier<MeterRegistry> registry;

    /**
     * Creates the store.
     *
     * @param store who answers
     * @param registry where to; asked for at the first renewal
     */
    public MeteredLeaseStore(LeaseStore store, Supplier<MeterRegistry> registry) {
        this.store = store;
        this.registry = registry;
    }

    @Override
    public CompletionStage<RenewReply> renew(RenewRequest request) {
        long sentAt = System.nanoTime();
        CompletionStage<RenewReply> renewal = store.renew(request);
        // Beside it: a renewal is what it is, whatever becomes of its meter.
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

    @Override
    public CompletionStage<CampaignReply> campaign(CampaignRequest request) {
        return store.campaign(request);
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        return store.release(request);
    }

    @Override
    public CompletionStage<EvictReply> evict(EvictRequest request) {
        return store.evict(request);
    }

    @Override
    public CompletionStage<ReadReply> read(String election) {
        return store.read(election);
    }

    @Override
    public CompletionStage<AnnounceReply> announce(String election, Hint.Message message) {
        return store.announce(election, message);
    }

    @Override
    public Subscription listen(String election, Consumer<Hint> listener) {
        return store.listen(election, listener);
    }

    private static String outcome(RenewReply reply) {
        if (reply instanceof RenewReply.Renewed) {
            return "renewed";
        }
        return reply instanceof RenewReply.Lost ? "lost" : "no-answer";
    }
}
