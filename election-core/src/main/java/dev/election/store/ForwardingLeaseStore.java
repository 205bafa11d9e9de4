package dev.election.store;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Passes all on to another store, and has the same capabilities. Whoever puts something around one extends this, and says only what is
 * different.
 */
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
    public StoreTraits traits() {
        return store.traits();
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
    public CompletionStage<ReadReply> read(String election) {
        return store.read(election);
    }

    @Override
    public Subscription listen(String election, Consumer<StoreEvent> listener) {
        return store.listen(election, listener);
    }

    @Override
    public void together(Runnable requests) {
        store.together(requests);
    }

    @Override
    public Optional<Eviction> eviction() {
        return store.eviction();
    }

    @Override
    public Optional<NodeMessaging> messaging() {
        return store.messaging();
    }

    @Override
    public Optional<Logbook> logbook() {
        return store.logbook();
    }

    @Override
    public int leadershipsKept() {
        return store.leadershipsKept();
    }
}
