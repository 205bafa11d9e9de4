package dev.election.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A store that passes every call on to another store, and has the same capabilities. A decorator extends this and overrides only what differs.
 *
 * <p>Every campaign, renewal and release comes through {@link #send}, whether it is sent alone or with others.
 */
public abstract class ForwardingLeaseStore implements LeaseStore {

    private final LeaseStore store;

    /**
     * Creates the store.
     *
     * @param store the store to which calls are passed on
     */
    protected ForwardingLeaseStore(LeaseStore store) {
        this.store = store;
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public String location() {
        return store.location();
    }

    @Override
    public CompletionStage<?> prepare() {
        return store.prepare();
    }

    @Override
    public final CompletionStage<CampaignReply> campaign(CampaignRequest request) {
        return sendAlone(request);
    }

    @Override
    public final CompletionStage<RenewReply> renew(RenewRequest request) {
        return sendAlone(request);
    }

    @Override
    public final CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        return sendAlone(request);
    }

    @Override
    public boolean sendsTogether() {
        return store.sendsTogether();
    }

    @Override
    public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
        return store.send(requests);
    }

    /** Passes one request on to the other store. */
    protected final <R> CompletionStage<R> forward(StoreRequest<R> request) {
        return request.sendTo(store);
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
    public Optional<Eviction> eviction() {
        return store.eviction();
    }

    @Override
    public Optional<NodeMessaging> messaging() {
        return store.messaging();
    }

    @Override
    public Optional<LedgerStore> ledgerStore() {
        return store.ledgerStore();
    }

    @Override
    public Optional<MemberStore> memberStore() {
        return store.memberStore();
    }

    @Override
    public int leadershipsKept() {
        return store.leadershipsKept();
    }

    private <R> CompletionStage<R> sendAlone(StoreRequest<R> request) {
        return send(List.of(request)).get(0).thenApply(request.replyType()::cast);
    }
}
