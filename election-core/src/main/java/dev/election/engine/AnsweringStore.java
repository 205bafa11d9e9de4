package dev.election.engine;

import dev.election.StoreProblem;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Eviction;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.NodeMessaging;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store whose every request is answered: what a store does against its contract becomes a {@link NoAnswer}. */
final class AnsweringStore extends ForwardingLeaseStore {

    private final Optional<Eviction> eviction;
    private final Optional<NodeMessaging> messaging;

    AnsweringStore(LeaseStore store) {
        super(store);
        this.eviction = store.eviction()
                .map(present -> request -> answered(() -> present.evict(request), noAnswer -> noAnswer));
        this.messaging = store.messaging()
                .map(present -> (election, message) ->
                        answered(() -> present.announce(election, message), noAnswer -> noAnswer));
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

    @Override
    public Optional<Eviction> eviction() {
        return eviction;
    }

    @Override
    public Optional<NodeMessaging> messaging() {
        return messaging;
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
