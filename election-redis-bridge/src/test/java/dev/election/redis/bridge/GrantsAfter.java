package dev.election.redis.bridge;

import dev.election.store.CampaignRequest;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.StoreRequest;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Lets something happen between the look at the old key and the grant of the lease. */
final class GrantsAfter extends ForwardingLeaseStore {

    private final Runnable between;

    GrantsAfter(LeaseStore store, Runnable between) {
        super(store);
        this.between = between;
    }

    @Override
    public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
        return requests.stream().<CompletionStage<?>>map(this::reply).toList();
    }

    private CompletionStage<?> reply(StoreRequest<?> request) {
        return request instanceof CampaignRequest
                ? forward(request).thenApplyAsync(reply -> {
                    between.run();
                    return reply;
                })
                : forward(request);
    }
}
