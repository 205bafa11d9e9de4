package dev.election.benchmarks;

import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.StoreRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The thread that brings the reply to a campaign looks at the election when the engine has taken it and has sent or told what there
 * was: no thread has to be woken for that.
 */
final class WitnessedStore extends ForwardingLeaseStore {

    private final FirstSight sight;

    WitnessedStore(LeaseStore store, FirstSight sight) {
        super(store);
        this.sight = sight;
    }

    @Override
    public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
        return requests.stream().<CompletionStage<?>>map(this::reply).toList();
    }

    private CompletionStage<?> reply(StoreRequest<?> request) {
        return request instanceof CampaignRequest campaign ? witness(campaign) : forward(request);
    }

    private CompletionStage<CampaignReply> witness(CampaignRequest request) {
        CompletableFuture<CampaignReply> taken = new CompletableFuture<>();
        CompletionStage<?> unused = forward(request).whenComplete((reply, failure) -> {
            if (failure == null) {
                taken.complete(reply);
            } else {
                taken.completeExceptionally(failure);
            }
            sight.look();
        });
        return taken;
    }
}
