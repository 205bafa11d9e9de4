package dev.election.redis.bridge;

import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.StoreRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Sends a campaign later, as one that is overtaken on its way. */
final class CampaignsAfter extends ForwardingLeaseStore {

    private final CompletableFuture<Void> when;
    private final CompletableFuture<Void> asked = new CompletableFuture<>();

    CampaignsAfter(LeaseStore store, CompletableFuture<Void> when) {
        super(store);
        this.when = when;
    }

    /** Completes when a campaign is about to be sent. */
    CompletableFuture<Void> asked() {
        return asked;
    }

    @Override
    public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
        return requests.stream().<CompletionStage<?>>map(this::reply).toList();
    }

    private CompletionStage<?> reply(StoreRequest<?> request) {
        return request instanceof CampaignRequest campaign ? campaignLater(campaign) : forward(request);
    }

    private CompletionStage<CampaignReply> campaignLater(CampaignRequest request) {
        asked.complete(null);
        return when.thenCompose(nothing -> forward(request));
    }
}
