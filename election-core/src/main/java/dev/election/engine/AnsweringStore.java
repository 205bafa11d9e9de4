package dev.election.engine;

import dev.election.StoreProblem;
import dev.election.store.AnnounceReply;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Eviction;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.NodeEvent;
import dev.election.store.NodeMessage;
import dev.election.store.NodeMessaging;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A store whose every request is answered: what a store does against its contract becomes a {@link NoAnswer}. */
final class AnsweringStore extends ForwardingLeaseStore {

    private static final Logger log = LoggerFactory.getLogger(AnsweringStore.class);

    private final Optional<Eviction> eviction;
    private final Optional<NodeMessaging> messaging;

    AnsweringStore(LeaseStore store) {
        super(store);
        this.eviction = store.eviction()
                .map(present -> request -> answered(() -> present.evict(request), noAnswer -> noAnswer));
        this.messaging = store.messaging().map(AnsweringMessaging::new);
    }

    @Override
    public CompletionStage<CampaignReply> campaign(CampaignRequest request) {
        return answered(() -> super.campaign(request), noAnswer -> noAnswer);
    }

    @Override
    public CompletionStage<RenewReply> renew(RenewRequest request) {
        return answered(() -> super.renew(request), noAnswer -> noAnswer);
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        return answered(() -> super.release(request), noAnswer -> noAnswer);
    }

    @Override
    public CompletionStage<ReadReply> read(String election) {
        return answered(() -> super.read(election), noAnswer -> noAnswer);
    }

    /** The task is run, whatever the store does about it. */
    @Override
    public void together(Runnable requests) {
        AtomicBoolean begun = new AtomicBoolean();
        try {
            super.together(() -> {
                begun.set(true);
                requests.run();
            });
        } catch (RuntimeException failure) {
            log.error("Requests of several elections could not be sent together", failure);
        }
        if (!begun.get()) {
            requests.run();
        }
    }

    @Override
    public Optional<Eviction> eviction() {
        return eviction;
    }

    @Override
    public Optional<NodeMessaging> messaging() {
        return messaging;
    }

    private record AnsweringMessaging(NodeMessaging messaging) implements NodeMessaging {

        @Override
        public CompletionStage<AnnounceReply> announce(String election, NodeMessage message) {
            return answered(() -> messaging.announce(election, message), noAnswer -> noAnswer);
        }

        @Override
        public CompletionStage<AnnounceReply> announceAs(String node, NodeEvent.Present present) {
            return answered(() -> messaging.announceAs(node, present), noAnswer -> noAnswer);
        }

        @Override
        public Subscription listenAs(String node, Consumer<NodeEvent> listener) {
            return messaging.listenAs(node, listener);
        }
    }

    private static <T> CompletionStage<T> answered(
            Supplier<CompletionStage<T>> request, Function<NoAnswer, T> asReply) {
        try {
            return request.get().handle((reply, failure) -> reply != null ? reply : asReply.apply(noAnswer(failure)));
        } catch (Throwable failure) {
            return CompletableFuture.completedFuture(asReply.apply(noAnswer(failure)));
        }
    }

    private static NoAnswer noAnswer(@Nullable Throwable failure) {
        return new NoAnswer(StoreProblem.UNKNOWN, failure == null ? "the store gave no reply" : failure.toString());
    }
}
