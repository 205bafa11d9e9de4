package dev.election.store;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Passes all on to another store. Whoever puts something around one extends this, and says only what is different. */
public abstract class ForwardingLeaseStore implements LeaseStore {

    private final LeaseStore store;

    /**
     * Creates the store.
     *
     * @param store who answers
     */
    protected ForwardingLeaseStore(LeaseStore store) {
        this.store = store;
    }

    @Override
    public CompletionStage<CampaignReply> campaign(CampaignRequest request) {
        return store.campaign(request);
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
