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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures how long renewals take and what comes of them. */
public final class MeteredLeaseStore implements LeaseStore {

    private static final Logger log = LoggerFactory.getLogger(MeteredLeaseStore.class);

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
        return store.renew(request)
                .whenComplete((reply, failure) ->
                        record(request.candidate().election(), outcome(reply), System.nanoTime() - sentAt));
    }

    /** A renewal is what it is, whatever becomes of its meter. */
    private void record(String election, String outcome, long took) {
        try {
            Timer.builder(ElectionMeters.RENEWALS)
                    .description("How long renewals of the lease take")
                    .tag("election", election)
                    .tag("outcome", outcome)
                    .register(registry.get())
                    .record(took, TimeUnit.NANOSECONDS);
        } catch (RuntimeException failure) {
            log.debug("A renewal of '{}' could not be counted", election, failure);
        }
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
