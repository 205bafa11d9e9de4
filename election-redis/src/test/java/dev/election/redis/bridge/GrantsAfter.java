package dev.election.redis.bridge;

import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import java.util.concurrent.CompletionStage;

/** Lets something happen between the look at the old key and the grant of the lease. */
final class GrantsAfter extends ForwardingLeaseStore {

    private final Runnable between;

    GrantsAfter(LeaseStore store, Runnable between) {
        super(store);
        this.between = between;
    }

    @Override
    public CompletionStage<CampaignReply> campaign(CampaignRequest request) {
        return super.campaign(request).thenApplyAsync(reply -> {
            between.run();
            return reply;
        });
    }
}
