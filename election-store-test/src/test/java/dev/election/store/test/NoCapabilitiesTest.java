package dev.election.store.test;

import dev.election.StoreView;
import dev.election.record.NoOrder;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.LeaseStore;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import dev.election.store.StoreTraits;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The contract over a store without any capability: what it owes must not depend on one. */
class NoCapabilitiesTest extends AtomicContract {

    private final LeaseStore store = new WithoutCapabilities(super.store());

    @Override
    public LeaseStore store() {
        return store;
    }

    /** Not a {@link dev.election.store.ForwardingLeaseStore}: that one has the capabilities of the other store. */
    private record WithoutCapabilities(LeaseStore store) implements LeaseStore {

        @Override
        public StoreTraits traits() {
            return store.traits();
        }

        @Override
        public CompletionStage<CampaignReply> campaign(CampaignRequest request) {
            return store.campaign(request).thenApply(NoOrder::in);
        }

        @Override
        public CompletionStage<RenewReply> renew(RenewRequest request) {
            return store.renew(request).thenApply(NoOrder::in);
        }

        @Override
        public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
            return store.release(request);
        }

        @Override
        public CompletionStage<ReadReply> read(String election) {
            return store.read(election)
                    .thenApply(reply -> reply instanceof ReadReply.Read read
                            ? new ReadReply.Read(withoutHistory(read.view()))
                            : reply);
        }

        @Override
        public Subscription listen(String election, Consumer<StoreEvent> listener) {
            return store.listen(election, listener);
        }

        private static StoreView withoutHistory(StoreView view) {
            return new StoreView(view.readAt(), view.leader(), view.leaseRemaining(), List.of());
        }
    }
}
