package dev.election.benchmarks;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The thread that brings the reply to a campaign looks at the election when the engine has taken it and has sent or told what there
 * was: no thread has to be woken for that.
 */
final class WitnessedStore implements LeaseStore {

    private final LeaseStore store;
    private final FirstSight sight;

    WitnessedStore(LeaseStore store, FirstSight sight) {
        this.store = store;
        this.sight = sight;
    }

    @Override
    public CompletionStage<CampaignReply> campaign(CampaignRequest request) {
        CompletableFuture<CampaignReply> taken = new CompletableFuture<>();
        CompletionStage<?> unused = store.campaign(request).whenComplete((reply, failure) -> {
            if (failure == null) {
                taken.complete(reply);
            } else {
                taken.completeExceptionally(failure);
            }
            sight.look();
        });
        return taken;
    }

    @Override
    public CompletionStage<RenewReply> renew(RenewRequest request) {
        return store.renew(request);
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
}
